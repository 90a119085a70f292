/** What other users cannot do to one another: take ids, read what is not theirs, or use up what all share. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { openEmbeddedStore } from "@callboard/testkit/postgres";
import { afterEach, describe, expect, it } from "vitest";
import type { ServerOptions } from "./settings.js";
import { type RunningServer, startServer } from "./startServer.js";
import {
  createTestUser,
  describePlaces,
  quietLogger,
  secret,
  type TestUser,
} from "./testing/place.js";
import { fieldOf, textAtPath, valuesOf } from "./testing/reading.js";

describePlaces("another user's run", (use) => {
  it("keeps its id: whoever names it gets a run of their own, and the first continues", async () => {
    const { ask, newUser, tools } = use();
    const [victim, stranger] = [await newUser(), await newUser()];
    const gate = randomUUID();
    const body = (text: string) => ({
      threadId: randomUUID(),
      protocolVersion: "1.0",
      messages: [{ id: "one", role: "user", content: text }],
    });
    const runId = randomUUID();
    const running = await ask(victim, "POST", "/api/ag-ui", {
      ...body(`call wait_for_test {"name":"${gate}"}\nsay done`),
      runId,
    });
    await tools.waits(gate);
    const victimsId = running.headers.get("x-request-id") ?? "";
    for (const id of [runId, victimsId]) {
      const taken = await ask(stranger, "POST", "/api/ag-ui", { ...body("say mine"), runId: id });
      expect(taken.status).toBe(200);
      expect(taken.headers.get("x-request-id")).not.toBe(victimsId);
      const told = await taken.text();
      expect(told).toMatch(/"delta":"[^"]*mine"/);
      expect(told).not.toContain(gate);
      // The stream names the run as its client did.
      expect(told).toContain(`"runId":"${id}"`);
    }
    const cancelled = await ask(victim, "POST", `/api/agent/runs/${victimsId}/cancel`, {});
    expect(cancelled.status).toBe(202);
    expect(await running.text()).toContain('"outcome":{"type":"cancelled"}');
  });

  it("is not given to a stranger who sends the same message under the same id", async () => {
    const { ask, newUser } = use();
    const body = {
      ...{ runId: randomUUID(), protocolVersion: "1.0" },
      messages: [{ id: "one", role: "user", content: "say mine" }],
    };
    const runs = [];
    for (const user of [await newUser(), await newUser()]) {
      const answer = await ask(user, "POST", "/api/ag-ui", { ...body, threadId: randomUUID() });
      expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining("mine")]);
      runs.push(answer.headers.get("x-request-id"));
    }
    expect(new Set(runs).size).toBe(2);
  });

  it("gets its own run for the key that another user used", async () => {
    const { ask, newUser } = use();
    const users = [await newUser(), await newUser()];
    const key = { "idempotency-key": randomUUID() };
    const asked = { user_input: "say hello", stream: false };
    const answers: unknown[][] = [];
    for (const user of [...users, ...users]) {
      const response = await ask(user, "POST", "/api/agent/execute", asked, key);
      const json: unknown = await response.json();
      answers.push([response.status, fieldOf(json, "output"), fieldOf(json, "request_id")]);
    }
    const [first, second, again, secondAgain] = answers;
    expect([first?.slice(0, 2), second?.slice(0, 2)]).toEqual([
      [200, "Rehearsal: hello"],
      [200, "Rehearsal: hello"],
    ]);
    expect(second?.[2]).not.toBe(first?.[2]);
    expect([again, secondAgain]).toEqual([first, second]);
  });
});

describePlaces("requests that once broke something", (use) => {
  it("are refused with the field, or answered", async () => {
    const { ask, newUser } = use();
    const user = await newUser();
    const bodies = [{ title: "a\0b" }, { keywords: ["a\0b"] }, { description: "\0" }];
    for (const body of bodies) {
      const response = await ask(user, "POST", "/api/conversations", body);
      expect([response.status, textAtPath(await response.json(), "type")]).toEqual([
        422,
        "urn:callboard:problem:invalid-request",
      ]);
    }
    expect((await ask(user, "GET", "/api/conversations?search=a%00b")).status).toBe(422);
  });

  it("an EventSource that has read the end is told to stop", async () => {
    const { ask, newUser } = use();
    const user = await newUser();
    const asked = { user_input: "say hello", stream: false };
    const run = await ask(user, "POST", "/api/agent/execute", asked);
    const path = `/api/agent/runs/${textAtPath(await run.json(), "request_id")}/events`;
    const accept = { accept: "text/event-stream" };
    const first = await ask(user, "GET", path, undefined, accept);
    const ids = [...(await first.text()).matchAll(/^id: (.+)$/gm)].map(([, id = ""]) => id);
    const statusAfter = async (id: string): Promise<number> => {
      const headers = { ...accept, "last-event-id": id };
      const response = await ask(user, "GET", path, undefined, headers);
      await response.arrayBuffer();
      return response.status;
    };
    expect(await statusAfter(ids.at(-1) ?? "")).toBe(204);
    expect(await statusAfter(ids[0] ?? "")).toBe(200);
  });
});

const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

async function opened(options: ServerOptions = {}): Promise<RunningServer> {
  const home = await mkdtemp(join(tmpdir(), "callboard-strangers-"));
  closings.push(() => rm(home, { recursive: true, force: true }));
  const { env, ...rest } = options;
  const server = await startServer({
    port: 0,
    home,
    workdir: home,
    env: { PATH: process.env.PATH, CALLBOARD_HOME: home, CALLBOARD_JWT_SECRET: secret, ...env },
    logger: quietLogger,
    store: await openEmbeddedStore({ clock: systemClock, logger: quietLogger }),
    ...rest,
  });
  closings.push(server.close);
  return server;
}

async function outputsOf(server: RunningServer, user: TestUser, script: string): Promise<string[]> {
  const response = await fetch(`${server.url}/api/agent/execute`, {
    method: "POST",
    headers: { ...user.headers, "content-type": "application/json" },
    body: JSON.stringify({ user_input: script }),
  });
  const lines = await valuesOf(response);
  return lines
    .map((line) => fieldOf(line, "data"))
    .filter((data) => ["tool_completed", "tool_error"].includes(textAtPath(data, "event")))
    .map((data) => JSON.stringify(fieldOf(data, "data")));
}

describe("agents with built-in tools, served to many", () => {
  it("share neither outputs, nor notes, nor the server's environment", async () => {
    const workdir = await mkdtemp(join(tmpdir(), "callboard-work-"));
    closings.push(() => rm(workdir, { recursive: true, force: true }));
    const server = await opened({
      env: {
        DATABASE_URL: "",
        OTHER_PASS: "hunter2-of-the-server",
        PATH: process.env.PATH,
      },
      agents: {
        default: {
          workdir,
          model: createRehearsalModel({ clock: systemClock }),
          approval: { allow: ["shell(*)", "memory(*)", "search_files(*)", "read_file(*)"] },
          limits: { maxOutputChars: 200 },
          environment: { GIVEN: "to-the-agent" },
        },
      },
    });
    const [one, other] = [await createTestUser(), await createTestUser()];
    const [long = "", stored] = await outputsOf(
      server,
      one,
      'call shell {"command":"seq 1 500; echo plum"}\ncall memory {"action":"store","key":"k","text":"fig"}',
    );
    const file = /in (\/[^ ]+\.txt)/.exec(long)?.[1] ?? "";
    expect([file.endsWith(".txt"), stored]).toEqual([true, expect.stringContaining("Stored")]);
    const [read, searched, recalled, env = ""] = await outputsOf(
      server,
      other,
      [
        `call read_file ${JSON.stringify({ path: file })}`,
        `call search_files ${JSON.stringify({ path: join(file, "../.."), pattern: "plum" })}`,
        'call memory {"action":"recall","key":"k"}',
        'call shell {"command":"env | sort | grep -vE \\"^(LS_|PATH=|CALLBOARD_)\\" | cut -c1-60"}',
      ].join("\nsay next\n"),
    );
    expect(read).toContain("path_outside");
    expect(searched).toContain("path_outside");
    expect(recalled).toContain("not_found");
    expect(env).toContain("GIVEN=to-the-agent");
    for (const hidden of ["OTHER_PASS", "JWT_SECRET", "DATABASE_URL", "CALLBOARD_HOME"]) {
      expect(env).not.toContain(hidden);
    }
  });
});

describe("what all share", () => {
  it("is not used up by one: requests, wrong tokens, runs and streams are counted for each", async () => {
    const server = await opened({
      auth: { secret, guests: true },
      trustedProxies: ["127.0.0.1"],
      agents: { default: { tools: [], model: createRehearsalModel({ clock: systemClock }) } },
      limits: { requestsPerMinute: 5, wrongTokensPerMinute: 3 },
    });
    const statusOf = async (path: string, headers: Record<string, string>): Promise<number> => {
      const response = await fetch(`${server.url}${path}`, { headers });
      await response.arrayBuffer();
      return response.status;
    };
    const repeated = async (count: number, path: string, headers: () => Record<string, string>) => {
      const statuses: number[] = [];
      for (let index = 0; index < count; index += 1) {
        statuses.push(await statusOf(path, headers()));
      }
      return statuses;
    };
    const guest = (address: string) => () => ({
      "x-forwarded-for": address,
      "x-fingerprint-id": randomUUID(),
    });
    expect(await repeated(7, "/api/agents", guest("1.1.1.1"))).toEqual([
      200, 200, 200, 200, 200, 429, 429,
    ]);
    expect(await repeated(1, "/api/agents", guest("2.2.2.2"))).toEqual([200]);
    const wrong = () => ({ authorization: "Bearer nonsense", "x-forwarded-for": "1.1.1.1" });
    expect(await repeated(5, "/api/agents", wrong)).toEqual([401, 401, 401, 429, 429]);
    const user = await createTestUser();
    const fromThere = { ...user.headers, "x-forwarded-for": "1.1.1.1" };
    expect(await statusOf("/api/agents", fromThere)).toBe(200);
    const assets = () => ({ "x-forwarded-for": "1.1.1.1" });
    expect((await repeated(7, "/openapi.json", assets)).at(-1)).toBe(429);
    expect(new Set(await repeated(20, "/readyz", assets))).toEqual(new Set([200]));
    expect(new Set(await repeated(20, "/healthz", assets))).toEqual(new Set([200]));
  });

  it("is not used up by the bodies of one", async () => {
    const server = await opened({
      auth: { secret },
      agents: { default: { tools: [], model: createRehearsalModel({ clock: systemClock }) } },
      limits: { bodyBytesPerMinute: 1_000 },
    });
    const [one, other] = [await createTestUser(), await createTestUser()];
    const warmed = async (user: TestUser, size: number): Promise<unknown[]> => {
      const response = await fetch(`${server.url}/api/agent/execute`, {
        method: "POST",
        headers: { ...user.headers, "content-type": "application/json" },
        body: JSON.stringify({ user_input: "x".repeat(size), stream: false }),
      });
      const json: unknown = await response.json();
      return [response.status, fieldOf(json, "type")];
    };
    expect((await warmed(one, 700))[0]).toBe(200);
    expect(await warmed(one, 700)).toEqual([429, "urn:callboard:problem:too-many-requests"]);
    expect((await warmed(other, 700))[0]).toBe(200);
  });

  it("is not used up by what one reads: answers, streams, and what runs and copies begin with", async () => {
    const server = await opened({
      auth: { secret },
      agents: { default: { tools: [], model: createRehearsalModel({ clock: systemClock }) } },
      limits: { readBytesPerMinute: 1_000_000 },
    });
    const user_input = "x".repeat(300_000);
    const executed = (user: TestUser, more: object) =>
      fetch(`${server.url}/api/agent/execute`, {
        method: "POST",
        headers: { ...user.headers, "content-type": "application/json" },
        body: JSON.stringify({ stream: false, ...more }),
      });
    /** How often a user may do it before it is too much, in a conversation of some 600 KB. */
    const timesOf = async (
      act: (user: TestUser, id: string, runId: string) => Promise<Response>,
    ): Promise<number> => {
      const user = await createTestUser();
      const first: unknown = await (await executed(user, { user_input })).json();
      const id = textAtPath(first, "conversation_id");
      for (let times = 0; times < 10; times += 1) {
        const response = await act(user, id, textAtPath(first, "request_id"));
        await response.arrayBuffer();
        if (response.status === 429) return times;
        expect([200, 201]).toContain(response.status);
      }
      return 10;
    };
    const read = (path: string) => (user: TestUser, id: string, runId: string) =>
      fetch(`${server.url}${path.replace("ID", id).replace("RUN", runId)}`, {
        headers: user.headers,
      });
    const times = {
      rows: await timesOf(read("/api/conversations/ID/messages")),
      chat: await timesOf(read("/api/chat/ID/messages")),
      stream: await timesOf(read("/api/agent/runs/RUN/events?format=log")),
      export: await timesOf(read("/api/conversations/ID/export")),
      run: await timesOf((user, id) =>
        executed(user, { conversation_id: id, user_input: "say ok" }),
      ),
      copy: await timesOf((user, id) =>
        fetch(`${server.url}/api/conversations/${id}/fork`, {
          method: "POST",
          headers: { ...user.headers, "content-type": "application/json" },
          body: '{"position":1}',
        }),
      ),
    };
    for (const [name, count] of Object.entries(times)) {
      expect([name, count > 0 && count < 5]).toEqual([name, true]);
    }
    expect((await executed(await createTestUser(), { user_input: "say hello" })).status).toBe(200);
  });
});
