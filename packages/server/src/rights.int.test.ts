/** Readers who lose their right while they read: their streams end, on whichever node they are. */
import { randomUUID } from "node:crypto";
import { SignJWT } from "jose";
import { expect, it } from "vitest";
import {
  createTestUser,
  describeEveryPlace,
  secret,
  type TestPlace,
  type TestUser,
} from "./testing/place.js";
import { fieldOf, linesOf } from "./testing/reading.js";

interface Waiting {
  readonly runId: string;
  readonly conversationId: string;
  readonly gate: string;
}

/** A run that waits for the test, in a conversation of its own. */
async function waitingRun(place: TestPlace, user: TestUser): Promise<Waiting> {
  const gate = randomUUID();
  const user_input = `call wait_for_test {"name":"${gate}"}\nsay a secret`;
  const response = await place.ask(user, "POST", "/api/agent/execute", { user_input });
  await response.body?.cancel();
  await place.tools.waits(gate);
  const runId = response.headers.get("x-request-id") ?? "";
  return { runId, gate, conversationId: response.headers.get("x-conversation-id") ?? "" };
}

/** One reader on each node; each gives its last line once its stream has ended. */
async function readers(place: TestPlace, user: TestUser, path: string) {
  const responses = await Promise.all(
    place.nodes.map((node) => fetch(`${node.url}${path}`, { headers: user.headers })),
  );
  return responses.map(async (response) => {
    expect(response.status).toBe(200);
    let last: unknown;
    for await (const line of linesOf(response)) last = JSON.parse(line);
    return last;
  });
}

const accessLost = { event: "closed", data: { reason: "access_lost" } };

describeEveryPlace("a reader who may not read any more", (use) => {
  it("is sent away when a share is taken back, and so is a page that watches", async () => {
    const place = use();
    const [owner, reader] = [await place.newUser(), await place.newUser()];
    const run = await waitingRun(place, owner);
    const shares = `/api/conversations/${run.conversationId}/shares`;
    await place.ask(owner, "POST", shares, { user_id: reader.userId, level: "viewer" });
    const paths = [
      `/api/agent/runs/${run.runId}/events`,
      `/api/agent/stream?conversation=${run.conversationId}`,
      `/api/agent/stream?run=${run.runId}:0`,
    ];
    const ending = await Promise.all(paths.map((path) => readers(place, reader, path)));
    const owners = await readers(place, owner, paths[0] ?? "");
    const unshared = await place.ask(owner, "DELETE", shares, { user_id: reader.userId });
    expect(unshared.status).toBe(204);
    for (const last of await Promise.all(ending.flat())) expect(last).toMatchObject(accessLost);
    for (const path of paths) {
      expect((await place.ask(reader, "GET", path)).status).toBe(404);
    }
    // The owner reads on.
    place.tools.release(run.gate);
    for (const last of await Promise.all(owners)) expect(last).toMatchObject({ event: "end" });
  });

  it("is sent away when a conversation is not public any more, or is deleted", async () => {
    const place = use();
    const [owner, stranger] = [await place.newUser(), await place.newUser()];
    const run = await waitingRun(place, owner);
    const path = `/api/agent/runs/${run.runId}/events`;
    const shares = `/api/conversations/${run.conversationId}/shares`;
    await place.ask(owner, "POST", shares, { is_public: true, level: "viewer" });
    const strangers = await readers(place, stranger, path);
    await place.ask(owner, "DELETE", shares, { is_public: true });
    for (const last of await Promise.all(strangers)) expect(last).toMatchObject(accessLost);
    const owners = await readers(place, owner, path);
    await place.ask(owner, "DELETE", `/api/conversations/${run.conversationId}`);
    for (const last of await Promise.all(owners)) expect(last).toMatchObject(accessLost);
    expect((await place.ask(owner, "GET", path)).status).toBe(404);
    expect((await place.ask(owner, "GET", `/api/agent/runs/${run.runId}`)).status).toBe(404);
  });

  it("is sent away when nodes were told nothing, at the next look", async () => {
    const place = use();
    const [owner, reader] = [await place.newUser(), await place.newUser()];
    const run = await waitingRun(place, owner);
    const shares = `/api/conversations/${run.conversationId}/shares`;
    await place.ask(owner, "POST", shares, { user_id: reader.userId, level: "viewer" });
    const ending = await readers(place, reader, `/api/agent/runs/${run.runId}/events`);
    const { sharing } = place.nodes[0]?.app.parts ?? {};
    await sharing?.unshareWith(owner, run.conversationId, reader.userId);
    await Promise.all(place.nodes.map(({ app }) => app.parts.rights.sweep()));
    for (const last of await Promise.all(ending)) expect(last).toMatchObject(accessLost);
    place.tools.release(run.gate);
  });

  it("is sent away when the token expires, and continues with a new one", async () => {
    const place = use();
    const user = await createTestUser();
    const run = await waitingRun(place, user);
    const path = `/api/agent/runs/${run.runId}/events`;
    const soon = await new SignJWT({ role: "authenticated" })
      .setProtectedHeader({ alg: "HS256" })
      .setSubject(user.userId)
      .setExpirationTime(new Date(Date.now() + 1_000))
      .sign(new TextEncoder().encode(secret));
    const ending = await readers(
      place,
      { ...user, headers: { authorization: `Bearer ${soon}` } },
      path,
    );
    for (const last of await Promise.all(ending)) {
      expect(fieldOf(last, "data", "reason")).toBe("token_expired");
    }
    place.tools.release(run.gate);
    const again = await readers(place, user, path);
    for (const last of await Promise.all(again)) expect(last).toMatchObject({ event: "end" });
  });
});
