/** What is shared is shared without secrets: only whoever asked and the owner read what the tools said. */
import { expect, it } from "vitest";
import { describePlaces, type TestPlace, type TestUser } from "./testing/place.js";
import { fieldOf, textAtPath, valuesOf } from "./testing/reading.js";

const secret = "hunter2-plum-tree";
const setting = `DB_PASS=${secret}`;

async function textAt(place: TestPlace, user: TestUser, path: string): Promise<string> {
  const response = await place.ask(user, "GET", path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}

describePlaces("a conversation with a secret in it", (use) => {
  it("shows it to its owner, and to viewers everything but the secret", async () => {
    const place = use();
    const { ask, newUser } = place;
    const [owner, viewer] = [await newUser(), await newUser()];
    const user_input = `call echo ${JSON.stringify({ text: setting })}\nsay the setting is ${setting}`;
    const run = await ask(owner, "POST", "/api/agent/execute", { user_input });
    expect(JSON.stringify(await valuesOf(run))).toContain(secret);
    const runId = run.headers.get("x-request-id") ?? "";
    const id = run.headers.get("x-conversation-id") ?? "";
    const share = { user_id: viewer.userId, level: "viewer" };
    expect((await ask(owner, "POST", `/api/conversations/${id}/shares`, share)).status).toBe(200);
    const events = `/api/agent/runs/${runId}/events`;
    const paths = [
      events,
      `${events}?after=4`,
      `${events}?after=999`,
      ...["log", "ui-message", "ag-ui"].map((format) => `${events}?format=${format}&rate=all`),
      `${events}?stream_arguments=true&rate=all`,
      "/api/conversations",
      `/api/agent/runs/${runId}`,
      `/api/chat/${id}/messages`,
      `/api/chat/${id}/messages?sdk=5`,
      `/api/chat/${id}/stream?run_id=${runId}&after=0`,
      `/api/conversations/${id}/queue`,
      `/api/conversations/${id}`,
      `/api/conversations/${id}/messages`,
      `/api/conversations/${id}/tool-calls`,
      `/api/conversations/${id}/runs`,
      `/api/conversations/${id}/export`,
    ];
    for (const path of paths) {
      expect([path, (await textAt(place, viewer, path)).includes(secret)]).toEqual([path, false]);
    }
    for (const path of [events, `/api/conversations/${id}/messages`]) {
      expect(await textAt(place, viewer, path)).toContain("[redacted:pass]");
      expect(await textAt(place, owner, path)).toContain(secret);
    }
    const raw = await ask(viewer, "GET", `/api/conversations/${id}/export?redact=false`);
    expect(raw.status).toBe(403);
  });

  it("is not found by its secret, nor by the beginning of it, but by all that viewers read", async () => {
    const { ask, newUser } = use();
    const [owner, viewer] = [await newUser(), await newUser()];
    const user_input = `call echo ${JSON.stringify({ text: `${setting} beside a lighthouse`, password: "greengage" })}`;
    const run = await ask(owner, "POST", "/api/agent/execute", { user_input, stream: false });
    const id = textAtPath(await run.json(), "conversation_id");
    const described = { title: `a harbour with ${setting}` };
    await ask(owner, "PATCH", `/api/conversations/${id}`, described);
    const share = { user_id: viewer.userId, level: "viewer" };
    await ask(owner, "POST", `/api/conversations/${id}/shares`, share);
    const findsWith = async (user: TestUser, words: string): Promise<boolean> =>
      (await textAt(use(), user, `/api/conversations?search=${words}`)).includes(id);
    for (const words of ["plum", "hunter2", "hun", "greeng", "lighthouse%20plum"]) {
      expect([words, await findsWith(owner, words)]).toEqual([words, true]);
      expect([words, await findsWith(viewer, words)]).toEqual([words, false]);
    }
    for (const words of ["lighthouse", "harb", "DB_PASS", "echo"]) {
      expect([words, await findsWith(viewer, words)]).toEqual([words, true]);
    }
    const renamed = await ask(viewer, "PATCH", `/api/conversations/${id}`, {});
    expect(await renamed.text()).not.toContain(secret);
  });

  it("is copied without it: the copy of a viewer belongs to the viewer", async () => {
    const place = use();
    const { ask, newUser } = place;
    const [owner, viewer] = [await newUser(), await newUser()];
    const user_input = `call echo ${JSON.stringify({ text: setting })}\nsay ${setting}`;
    const run = await ask(owner, "POST", "/api/agent/execute", { user_input, stream: false });
    const id = textAtPath(await run.json(), "conversation_id");
    const share = { user_id: viewer.userId, level: "viewer" };
    await ask(owner, "POST", `/api/conversations/${id}/shares`, share);
    for (const [user, isSeen] of [
      [viewer, false],
      [owner, true],
    ] as const) {
      const fork = await ask(user, "POST", `/api/conversations/${id}/fork`, { position: 3 });
      expect(fork.status).toBe(201);
      const copy = textAtPath(await fork.json(), "id");
      const messages = await textAt(place, user, `/api/conversations/${copy}/messages`);
      expect(messages.includes(secret)).toBe(isSeen);
      const logs = await textAt(place, user, `/api/conversations/${copy}/export?redact=false`);
      expect(logs.includes(secret)).toBe(isSeen);
      expect(fieldOf(JSON.parse(messages), "items", 0, "role")).toBe("user");
    }
  });
});
