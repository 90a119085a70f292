/** Links by which whoever holds one reads one conversation, and does nothing else. */
import { randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Clock, systemClock } from "@callboard/agent-sdk";
import { openEmbeddedStore } from "@callboard/testkit/postgres";
import { expect, it } from "vitest";
import { startServer } from "./startServer.js";
import { sessionOf } from "./testing/pageSession.js";
import { describePlaces, quietLogger, type TestPlace, type TestUser } from "./testing/place.js";
import { fieldOf, linesOf, textAtPath, valuesOf } from "./testing/reading.js";

const secret = "hunter2-plum-tree";

interface Made {
  readonly linkId: string;
  readonly path: string;
}

async function linkTo(
  place: TestPlace,
  owner: TestUser,
  conversationId: string,
  expires_in_s = 3_600,
): Promise<Made> {
  const path = `/api/conversations/${conversationId}/links`;
  const response = await place.ask(owner, "POST", path, { expires_in_s });
  expect(response.status).toBe(201);
  const made: unknown = await response.json();
  return { linkId: textAtPath(made, "id"), path: textAtPath(made, "path") };
}

/** A browser that opened the link at every node. */
async function visitorOf({ nodes }: TestPlace, { linkId, path }: Made): Promise<TestUser> {
  const cookies: string[] = [];
  for (const { url } of nodes) {
    const opened = await fetch(`${url}${path}`, { redirect: "manual" });
    expect(opened.status).toBe(303);
    const cookie = opened.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(
      /^callboard_link_\d+=[\w.-]+; HttpOnly; SameSite=Strict; Path=\/; Max-Age=\d+$/,
    );
    cookies.push(cookie.split(";")[0] ?? "");
  }
  return { userId: linkId, headers: { cookie: cookies.join("; ") } };
}

async function finishedRun(place: TestPlace, owner: TestUser) {
  const user_input = `call echo ${JSON.stringify({ text: `DB_PASS=${secret}` })}\nsay done`;
  const run = await place.ask(owner, "POST", "/api/agent/execute", { user_input });
  await valuesOf(run);
  const runId = run.headers.get("x-request-id") ?? "";
  return { runId, conversationId: run.headers.get("x-conversation-id") ?? "" };
}

/** How far the nodes' clocks are ahead of the time: a link expires without anybody waiting for it. */
let aheadMs = 0;
const clock: Clock = { ...systemClock, now: () => systemClock.now() + aheadMs };

// No look by itself: streams end because the change was told.
const limits = { rightsMs: 3_600_000 };

describePlaces(
  "a link to a conversation",
  (use) => {
    it("shows the conversation, its runs and outputs without secrets, and nothing else", async () => {
      const place = use();
      const owner = await place.newUser();
      const { runId, conversationId: id } = await finishedRun(place, owner);
      const other = await finishedRun(place, owner);
      const made = await linkTo(place, owner, id);
      const opened = await fetch(place.url(made.path), { redirect: "manual" });
      expect([opened.status, opened.headers.get("location")]).toEqual([303, `/v/${id}`]);
      const visitor = await visitorOf(place, made);
      const events = `/api/agent/runs/${runId}/events`;
      const readable = [
        `/api/conversations/${id}`,
        `/api/conversations/${id}/messages`,
        `/api/conversations/${id}/tool-calls`,
        `/api/conversations/${id}/runs`,
        `/api/agent/runs/${runId}`,
        events,
      ];
      for (const path of readable) {
        const response = await place.ask(visitor, "GET", path);
        const text = await response.text();
        expect([path, response.status, text.includes(secret)]).toEqual([path, 200, false]);
      }
      expect(await (await place.ask(visitor, "GET", events)).text()).toContain("[redacted:pass]");
      for (const path of [
        `/api/conversations/${other.conversationId}`,
        `/api/conversations/${other.conversationId}/messages`,
        `/api/agent/runs/${other.runId}/events`,
      ]) {
        expect([path, (await place.ask(visitor, "GET", path)).status]).toEqual([path, 404]);
      }
    });

    it("refuses its visitors every route that is not for them", async () => {
      const place = use();
      const owner = await place.newUser();
      const { runId, conversationId: id } = await finishedRun(place, owner);
      const visitor = await visitorOf(place, await linkTo(place, owner, id));
      const origin = { origin: place.nodes[0]?.url ?? "" };
      const { url = "" } = place.nodes[0] ?? {};
      const asked: readonly (readonly [string, string, unknown?])[] = [
        ["GET", "/api/conversations"],
        ["GET", "/api/figures"],
        ["GET", "/api/agents"],
        ["GET", `/api/agent/runs/${runId}/prompt`],
        ["GET", `/api/conversations/${id}/links`],
        ["GET", `/api/conversations/${id}/shares`],
        ["GET", `/api/conversations/${id}/export`],
        ["POST", "/api/conversations", {}],
        ["POST", `/api/conversations/${id}/links`, { expires_in_s: 60 }],
        ["POST", `/api/conversations/${id}/fork`, { position: 0 }],
        ["PATCH", `/api/conversations/${id}`, { title: "Mine" }],
        ["DELETE", `/api/conversations/${id}`],
        ["POST", "/api/agent/execute", { user_input: "say hello" }],
        ["POST", "/api/agent/execute", { conversation_id: id, user_input: "say hello" }],
        ["POST", `/api/agent/runs/${runId}/cancel`, {}],
      ];
      for (const [method, path, body] of asked) {
        const response = await fetch(`${url}${path}`, {
          method,
          headers: { ...visitor.headers, ...origin, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        const kind = fieldOf(await response.json(), "type");
        expect([method, path, response.status, String(kind).endsWith("read-only-link")]).toEqual([
          method,
          path,
          403,
          true,
        ]);
      }
    });

    it("is for its owner alone to make, and is revoked once", async () => {
      const place = use();
      const [owner, admin] = [await place.newUser(), await place.newUser()];
      const { runId, conversationId: id } = await finishedRun(place, owner);
      const links = `/api/conversations/${id}/links`;
      const share = { user_id: admin.userId, level: "admin" };
      await place.ask(owner, "POST", `/api/conversations/${id}/shares`, share);
      const refused = await place.ask(owner, "POST", links, { expires_in_s: 0 });
      expect(refused.status).toBe(422);
      const statuses = [
        (await place.ask(admin, "GET", links)).status,
        (await place.ask(admin, "GET", `/api/agent/runs/${runId}/prompt`)).status,
        (await place.ask(admin, "POST", links, { expires_in_s: 60 })).status,
      ];
      const { linkId, path } = await linkTo(place, owner, id);
      statuses.push((await place.ask(admin, "DELETE", `${links}/${linkId}`)).status);
      expect(new Set(statuses).size).toBe(1);
      expect(statuses[0]).toBeGreaterThanOrEqual(403);
      const text = await (await place.ask(owner, "GET", links)).text();
      expect(text).toContain(linkId);
      expect(text).not.toContain(path.split(".")[1]);
      const revoke = () => place.ask(owner, "DELETE", `${links}/${linkId}`);
      expect([(await revoke()).status, (await revoke()).status]).toEqual([204, 404]);
      expect((await fetch(place.url(path), { redirect: "manual" })).status).toBe(410);
      const unknown = `/s/${linkId}.${"x".repeat(43)}`;
      expect((await fetch(place.url(unknown), { redirect: "manual" })).status).toBe(404);
    });

    it("ends the streams of its visitors when it is revoked, and when its time is over", async () => {
      const place = use();
      const owner = await place.newUser();
      const gate = randomUUID();
      const user_input = `call wait_for_test {"name":"${gate}"}`;
      const run = await place.ask(owner, "POST", "/api/agent/execute", { user_input });
      await run.body?.cancel();
      await place.tools.waits(gate);
      const id = run.headers.get("x-conversation-id") ?? "";
      const events = `/api/agent/runs/${run.headers.get("x-request-id")}/events`;
      const reading = async (visitor: TestUser) => {
        const responses = await Promise.all(
          place.nodes.map(({ url }) => fetch(`${url}${events}`, { headers: visitor.headers })),
        );
        return responses.map(async (response) => {
          if (response.status !== 200) return response.status;
          let last: unknown;
          for await (const line of linesOf(response)) last = JSON.parse(line);
          return fieldOf(last, "data", "reason");
        });
      };
      const lasting = await linkTo(place, owner, id);
      const visitor = await visitorOf(place, lasting);
      const revoked = await reading(visitor);
      const links = `/api/conversations/${id}/links`;
      await place.ask(owner, "DELETE", `${links}/${lasting.linkId}`);
      for (const reason of await Promise.all(revoked)) expect(reason).toBe("access_lost");
      for (const { url } of place.nodes) {
        const again = await fetch(`${url}${events}`, { headers: visitor.headers });
        expect(again.status).toBe(401);
      }
      const brief = await visitorOf(place, await linkTo(place, owner, id, 600));
      const expired = await reading(brief);
      aheadMs = 601_000;
      try {
        for (const reason of await Promise.all(expired)) expect(reason).toBe("token_expired");
        for (const reason of await Promise.all(await reading(brief))) expect(reason).toBe(401);
      } finally {
        aheadMs = 0;
        place.tools.release(gate);
      }
    });
  },
  { limits, clock },
);

it("works on the server of one user, which continues to know its owner", async () => {
  const home = await mkdtemp(join(tmpdir(), "callboard-links-"));
  const server = await startServer({
    port: 0,
    home,
    env: { CALLBOARD_HOME: home },
    logger: quietLogger,
    store: await openEmbeddedStore({ clock: systemClock, logger: quietLogger }),
  });
  const bearer = { authorization: `Bearer ${server.token}`, "content-type": "application/json" };
  const post = async (path: string, body: unknown): Promise<unknown> =>
    (
      await fetch(`${server.url}${path}`, {
        method: "POST",
        headers: bearer,
        body: JSON.stringify(body),
      })
    ).json();
  const id = textAtPath(await post("/api/conversations", { title: "The news" }), "id");
  const made = await post(`/api/conversations/${id}/links`, { expires_in_s: 60 });
  const opened = await fetch(`${server.url}${textAtPath(made, "path")}`, { redirect: "manual" });
  const [cookie = ""] = (opened.headers.get("set-cookie") ?? "").split(";");
  const statusOf = async (path: string, headers: Record<string, string>): Promise<number> =>
    (await fetch(`${server.url}${path}`, { headers })).status;
  expect(await statusOf(`/api/conversations/${id}`, {})).toBe(401);
  expect(await statusOf(`/api/conversations/${id}`, { cookie })).toBe(200);
  expect(await statusOf("/api/conversations", { cookie })).toBe(403);
  expect(await statusOf("/api/conversations", { ...bearer, cookie })).toBe(200);
  const both = `${cookie}; ${await sessionOf(server)}`;
  expect(await statusOf("/api/conversations", { cookie: both })).toBe(200);
  expect(await statusOf("/s/nonsense", {})).toBe(404);
  const browser = { headers: { accept: "text/html,*/*" }, redirect: "manual" } as const;
  const unknown = await fetch(`${server.url}/s/nonsense`, browser);
  expect([unknown.status, unknown.headers.get("location")]).toEqual([303, "/link/unknown"]);
  const oldEntry = await fetch(`${server.url}/?token=of-another-start`, browser);
  expect([oldEntry.status, oldEntry.headers.get("location")]).toEqual([303, "/"]);
  expect(oldEntry.headers.has("set-cookie")).toBe(false);
  await server.close();
  await rm(home, { recursive: true, force: true });
});
