import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { describePlaces, type TestPlace, type TestUser } from "./testing/place.js";
import { fieldOf, textAtPath } from "./testing/reading.js";

async function said(place: TestPlace, user: TestUser, conversation_id: string, text: string) {
  const body = { conversation_id, user_input: text, stream: false };
  const response = await place.ask(user, "POST", "/api/agent/execute", body);
  expect(await response.json()).toMatchObject({ outcome: "ok" });
}

async function items(response: Promise<Response>): Promise<readonly unknown[]> {
  const list = fieldOf(await (await response).json(), "items");
  return Array.isArray(list) ? list : [];
}

const idsOf = (rows: readonly unknown[]): readonly string[] =>
  rows.map((row) => textAtPath(row, "id"));

describePlaces("conversations", (use) => {
  it("are created, listed, found, renamed and taken out of sight", async () => {
    const { ask, newUser, ...rest } = use();
    const user = await newUser();
    const made: unknown = await (
      await ask(user, "POST", "/api/conversations", { title: "Plans" })
    ).json();
    const id = textAtPath(made, "id");
    expect(made).toMatchObject({ title: "Plans", user_id: user.userId, message_count: 0 });
    await said({ ask, newUser, ...rest }, user, id, "say the word is zebra");
    const other = randomUUID();
    await said({ ask, newUser, ...rest }, user, other, "say nothing of interest");
    expect(idsOf(await items(ask(user, "GET", "/api/conversations")))).toEqual([other, id]);
    const found = await items(ask(user, "GET", "/api/conversations?search=zebra"));
    expect(idsOf(found)).toEqual([id]);
    const path = `/api/conversations/${id}`;
    const renamed: unknown = await (await ask(user, "PATCH", path, { title: "Zebras" })).json();
    expect(renamed).toMatchObject({ id, title: "Zebras", message_count: 2 });
    expect((await ask(user, "DELETE", path)).status).toBe(204);
    expect((await ask(user, "GET", path)).status).toBe(404);
    expect((await ask(user, "DELETE", path)).status).toBe(404);
    expect(idsOf(await items(ask(user, "GET", "/api/conversations")))).toEqual([other]);
  });

  it("are never taken over by an id: another's is not there, one's own is there already", async () => {
    const { ask, newUser } = use();
    const owner = await newUser();
    const stranger = await newUser();
    const id = randomUUID();
    expect((await ask(owner, "POST", "/api/conversations", { id, title: "Mine" })).status).toBe(
      201,
    );
    const taken = await ask(stranger, "POST", "/api/conversations", { id, title: "Theirs" });
    expect(taken.status).toBe(404);
    expect((await ask(owner, "POST", "/api/conversations", { id, title: "Again" })).status).toBe(
      409,
    );
    const kept: unknown = await (await ask(owner, "GET", `/api/conversations/${id}`)).json();
    expect(kept).toMatchObject({ id, title: "Mine", user_id: owner.userId });
    expect(await items(ask(stranger, "GET", "/api/conversations"))).toEqual([]);
  });

  it("tell what their runs came to where it is asked for, and what tools and models took", async () => {
    const place = use();
    const user = await place.newUser();
    const [id, other] = [randomUUID(), randomUUID()];
    for (const word of ["one", "two"]) {
      await said(place, user, id, `call echo {"text":"${word}"}\nsay ${word}`);
    }
    await place.ask(user, "POST", "/api/conversations", { id: other });
    const runs = {
      ...{ count: 2, open: 0, failed: 0, last_status: "completed", tool_calls: 2 },
      ...{ agent: null, tools: ["echo"] },
    };
    const listed = await items(place.ask(user, "GET", "/api/conversations?with_runs=true"));
    expect(listed.map((row) => [textAtPath(row, "id"), fieldOf(row, "runs")])).toEqual([
      [other, undefined],
      [id, expect.objectContaining(runs)],
    ]);
    const plain = await items(place.ask(user, "GET", "/api/conversations"));
    expect(plain.map((row) => fieldOf(row, "runs"))).toEqual([undefined, undefined]);
    const figures: unknown = await (await place.ask(user, "GET", "/api/figures?days=7")).json();
    expect(figures).toMatchObject({
      tools: [{ tool_name: "echo", calls: 2, errors: 0 }],
      models: [{ requests: 2, failed: 0 }],
      days: [{ requests: 2, failed: 0 }],
    });
    // One model did everything on one day: both took the same.
    const timesOf = (rows: unknown) => {
      const [row]: readonly unknown[] = Array.isArray(rows) ? rows : [];
      return [fieldOf(row, "p50_ms"), fieldOf(row, "p95_ms")];
    };
    const byModel = timesOf(fieldOf(figures, "models"));
    expect(byModel).toEqual([expect.any(Number), expect.any(Number)]);
    expect(timesOf(fieldOf(figures, "days"))).toEqual(byModel);
    const stranger = await place.newUser();
    const nothing: unknown = await (await place.ask(stranger, "GET", "/api/figures")).json();
    expect(nothing).toEqual({ tools: [], models: [], days: [] });
    expect((await place.ask(user, "GET", "/api/figures?days=0")).status).toBe(422);
  });

  it("save no rule of one user for the others, and have none to take back", async () => {
    const place = use();
    const user = await place.newUser();
    expect(await items(place.ask(user, "GET", "/api/rules"))).toEqual([]);
    const rule = { rule: "shell(git *)", effect: "allow" };
    expect((await place.ask(user, "DELETE", "/api/rules", rule)).status).toBe(404);
  });

  it("are there on every node as soon as the answer to their first message starts", async () => {
    const place = use();
    const user = await place.newUser();
    const begun = async (): Promise<readonly number[]> => {
      const body = { user_input: "say hello" };
      const response = await place.ask(user, "POST", "/api/agent/execute", body);
      const path = `/api/conversations/${response.headers.get("x-conversation-id")}`;
      const answers = await Promise.all(
        place.nodes.map((node) => fetch(`${node.url}${path}`, { headers: user.headers })),
      );
      await response.body?.cancel();
      return answers.map(({ status }) => status);
    };
    const statuses = await Promise.all(Array.from({ length: 10 }, begun));
    expect(statuses).toEqual(statuses.map(() => place.nodes.map(() => 200)));
  });

  it("are given in pages that neither lose nor repeat a row", async () => {
    const place = use();
    const user = await place.newUser();
    const id = randomUUID();
    for (const word of ["one", "two", "three"]) {
      await said(place, user, id, `call echo {"text":"${word}"}\nsay ${word}`);
    }
    for (const rows of ["messages", "tool-calls", "runs"]) {
      const path = `/api/conversations/${id}/${rows}`;
      const whole = await items(place.ask(user, "GET", path));
      const seen: unknown[] = [];
      let next: unknown = "";
      while (next !== null) {
        const after = next === "" ? "" : `&after=${String(next)}`;
        const response = await place.ask(user, "GET", `${path}?limit=2${after}`);
        const page: unknown = await response.json();
        const list = fieldOf(page, "items");
        if (Array.isArray(list)) seen.push(...list);
        next = fieldOf(page, "next");
      }
      expect(seen).toEqual(whole);
      expect(whole.length).toBe(rows === "messages" ? 12 : 3);
    }
    const calls = await items(place.ask(user, "GET", `/api/conversations/${id}/tool-calls`));
    expect(calls.map((call) => fieldOf(call, "output"))).toEqual(["one", "two", "three"]);
    const runs = await items(place.ask(user, "GET", `/api/conversations/${id}/runs`));
    expect(runs.map((run) => [fieldOf(run, "status"), fieldOf(run, "run_status")])).toEqual(
      Array(3).fill(["completed", "closed"]),
    );
  });

  it("fork at a position, and the fork continues by itself", async () => {
    const place = use();
    const user = await place.newUser();
    const id = randomUUID();
    await said(place, user, id, 'call echo {"text":"kept"}\nsay first');
    await said(place, user, id, "say second");
    const path = `/api/conversations/${id}`;
    const response = await place.ask(user, "POST", `${path}/fork`, { position: 3 });
    const fork: unknown = await response.json();
    expect([response.status, fork]).toMatchObject([
      201,
      { forked_from_id: id, forked_at_position: 3, message_count: 4 },
    ]);
    const forkId = textAtPath(fork, "id");
    await said(place, user, forkId, "say elsewhere");
    const textsOf = async (conversation: string): Promise<readonly unknown[]> => {
      const rows = await items(
        place.ask(user, "GET", `/api/conversations/${conversation}/messages`),
      );
      return rows.map((row) => [fieldOf(row, "position"), fieldOf(row, "role")]);
    };
    expect(await textsOf(forkId)).toEqual([
      [0, "user"],
      [1, "assistant"],
      [2, "tool"],
      [3, "assistant"],
      [4, "user"],
      [5, "assistant"],
    ]);
    expect((await textsOf(id)).length).toBe(6);
    expect((await place.ask(user, "POST", `${path}/fork`, { position: 99 })).status).toBe(404);
  });

  it("are shared by level, shown to everybody, and taken back", async () => {
    const place = use();
    const [owner, friend] = [await place.newUser(), await place.newUser()];
    const id = randomUUID();
    await said(place, owner, id, "say hello");
    const path = `/api/conversations/${id}`;
    const seenBy = async (user: TestUser): Promise<number> =>
      (await place.ask(user, "GET", `${path}/messages`)).status;
    expect(await seenBy(friend)).toBe(404);
    expect(
      (
        await place.ask(friend, "POST", `${path}/shares`, {
          user_id: friend.userId,
          level: "admin",
        })
      ).status,
    ).toBe(403);
    const share = (level: string) =>
      place.ask(owner, "POST", `${path}/shares`, { user_id: friend.userId, level });
    expect((await share("viewer")).status).toBe(200);
    expect(await seenBy(friend)).toBe(200);
    const body = { conversation_id: id, user_input: "say from a friend", stream: false };
    expect((await place.ask(friend, "POST", "/api/agent/execute", body)).status).toBe(403);
    expect((await place.ask(friend, "PATCH", path, { title: "Mine" })).status).toBe(404);
    expect((await share("editor")).status).toBe(200);
    const answer = await place.ask(friend, "POST", "/api/agent/execute", body);
    expect(await answer.json()).toMatchObject({ output: "Rehearsal: from a friend" });
    expect((await place.ask(friend, "PATCH", path, { title: "Ours" })).status).toBe(200);
    expect((await place.ask(friend, "DELETE", path)).status).toBe(403);
    expect(await items(place.ask(owner, "GET", `${path}/shares`))).toEqual([
      { level: "editor", user_id: friend.userId },
    ]);
    expect((await place.ask(friend, "GET", `${path}/shares`)).status).toBe(403);
    const whom = { user_id: friend.userId };
    expect((await place.ask(owner, "DELETE", `${path}/shares`, whom)).status).toBe(204);
    expect((await place.ask(owner, "DELETE", `${path}/shares`, whom)).status).toBe(404);
    expect(await seenBy(friend)).toBe(404);
    const everybody = { is_public: true, level: "viewer" };
    expect((await place.ask(owner, "POST", `${path}/shares`, everybody)).status).toBe(200);
    expect(await seenBy(friend)).toBe(200);
    expect((await place.ask(owner, "DELETE", `${path}/shares`, { is_public: true })).status).toBe(
      204,
    );
    expect(await seenBy(friend)).toBe(404);
  });

  it("are exported without secrets, and with them for their owner alone", async () => {
    const place = use();
    const [owner, friend] = [await place.newUser(), await place.newUser()];
    const id = randomUUID();
    const key = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;
    await said(place, owner, id, `call echo {"text":"${key}"}\nsay done`);
    const path = `/api/conversations/${id}/export`;
    const redacted = await (await place.ask(owner, "GET", path)).text();
    expect(redacted.includes(key)).toBe(false);
    const lines = redacted
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
    expect(fieldOf(lines.at(-1), "type")).toBe("run.closed");
    const raw = await (await place.ask(owner, "GET", `${path}?redact=false`)).text();
    expect(raw.includes(key)).toBe(true);
    const body = { user_id: friend.userId, level: "admin" };
    await place.ask(owner, "POST", `/api/conversations/${id}/shares`, body);
    expect((await place.ask(friend, "GET", `${path}?redact=false`)).status).toBe(403);
    expect((await place.ask(friend, "GET", path)).status).toBe(200);
  });

  it("of one user are never seen by another, on any route", async () => {
    const place = use();
    const [owner, stranger] = [await place.newUser(), await place.newUser()];
    const id = randomUUID();
    await said(place, owner, id, 'call echo {"text":"secret"}\nsay secret');
    const [run] = await items(place.ask(owner, "GET", `/api/conversations/${id}/runs`));
    const runId = textAtPath(run, "id");
    const probes = [
      ["GET", `/api/conversations/${id}`],
      ["PATCH", `/api/conversations/${id}`, { title: "x" }],
      ["DELETE", `/api/conversations/${id}`],
      ["GET", `/api/conversations/${id}/messages`],
      ["GET", `/api/conversations/${id}/tool-calls`],
      ["GET", `/api/conversations/${id}/runs`],
      ["POST", `/api/conversations/${id}/fork`, { position: 0 }],
      ["POST", `/api/conversations/${id}/calls`, { tool_name: "echo", arguments: { text: "x" } }],
      ["GET", `/api/conversations/${id}/export`],
      ["GET", `/api/agent/runs/${runId}`],
      ["GET", `/api/agent/runs/${runId}/events`],
      ["POST", `/api/agent/runs/${runId}/cancel`, {}],
      ["GET", `/api/agent/stream?run=${runId}:0`],
      ["GET", `/api/agent/stream?conversation=${id}`],
      ["POST", "/api/agent/execute", { conversation_id: id, user_input: "say mine now" }],
      [
        "POST",
        "/api/chat",
        { id, messages: [{ id: "m1", role: "user", parts: [{ type: "text", text: "x" }] }] },
      ],
      [
        "POST",
        "/api/ag-ui",
        { threadId: id, runId: randomUUID(), messages: [{ id: "m1", role: "user", content: "x" }] },
      ],
    ] as const;
    for (const [method, path, body] of probes) {
      const response = await place.ask(stranger, method, path, body);
      const text = await response.text();
      expect([path, response.status, text.includes("secret")]).toEqual([path, 404, false]);
    }
    const resumed = await place.ask(stranger, "GET", `/api/chat/${id}/stream`);
    expect(resumed.status).toBe(204);
    expect(await items(place.ask(stranger, "GET", "/api/conversations"))).toEqual([]);
  });
});
