/** Guests, as `CALLBOARD_GUESTS=true` lets them in: each sees what is its own, and nothing else. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemClock } from "@callboard/agent-sdk";
import { createRehearsalModel } from "@callboard/agent-sdk/testing";
import { openEmbeddedStore } from "@callboard/testkit/postgres";
import { afterEach, expect, it } from "vitest";
import { startServer } from "./startServer.js";
import { createTestUser, quietLogger, secret } from "./testing/place.js";
import { fieldOf } from "./testing/reading.js";

const closings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0).toReversed()) await close();
});

async function serverWith(CALLBOARD_GUESTS: string) {
  const home = await mkdtemp(join(tmpdir(), "callboard-guests-"));
  closings.push(() => rm(home, { recursive: true, force: true }));
  const server = await startServer({
    port: 0,
    home,
    env: { CALLBOARD_HOME: home, CALLBOARD_JWT_SECRET: secret, CALLBOARD_GUESTS },
    logger: quietLogger,
    store: await openEmbeddedStore({ clock: systemClock, logger: quietLogger }),
    agents: { default: { tools: [], model: createRehearsalModel({ clock: systemClock }) } },
  });
  closings.push(server.close);
  return async (headers: Readonly<Record<string, string>>, path: string, body?: object) => {
    const response = await fetch(`${server.url}${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const json: unknown = await response.json();
    const { status } = response;
    return { status, json, conversationId: response.headers.get("x-conversation-id") ?? "" };
  };
}

const guest = (name: string) => ({ "x-fingerprint-id": name });

it("a guest sees its own rows, and not those of other guests or of users", async () => {
  const ask = await serverWith("true");
  const { headers: user } = await createTestUser();
  const callers = [guest("one"), guest("two"), user];
  const own: string[] = [];
  for (const caller of callers) {
    const body = { user_input: "say hello", stream: false };
    const { status, json, conversationId } = await ask(caller, "/api/agent/execute", body);
    expect([status, fieldOf(json, "outcome")]).toEqual([200, "ok"]);
    own.push(conversationId);
  }
  expect(new Set(own).size).toBe(3);
  for (const [at, caller] of callers.entries()) {
    const { json } = await ask(caller, "/api/conversations");
    const items = fieldOf(json, "items");
    const ids = Array.isArray(items) ? items.map((item) => fieldOf(item, "id")) : [];
    expect(ids).toEqual([own[at]]);
    const seen = await Promise.all(
      own.map(async (id) => (await ask(caller, `/api/conversations/${id}/messages`)).status),
    );
    expect(seen).toEqual(own.map((_, other) => (other === at ? 200 : 404)));
  }
});

it("nobody is a guest where guests are not let in", async () => {
  const ask = await serverWith("");
  expect((await ask(guest("one"), "/api/conversations")).status).toBe(401);
});
