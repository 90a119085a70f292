/** A summary of a conversation for its model, on request: a run like any other. */
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { describePlaces, type TestPlace, type TestUser } from "./testing/place.js";
import { fieldOf, readUntil, valuesOf } from "./testing/reading.js";

const pathOf = (conversationId: string): string => `/api/conversations/${conversationId}/compact`;
const long = "word ".repeat(400);

/** Says something in a conversation, and gives its id. */
async function said({ ask }: TestPlace, user: TestUser, text: string, id = randomUUID()) {
  const body = { user_input: `say ${text}`, stream: false, conversation_id: id };
  const response = await ask(user, "POST", "/api/agent/execute", body);
  expect(await response.json()).toMatchObject({ outcome: "ok" });
  return id;
}

describePlaces("a conversation is summarized", (use) => {
  it("on request, once for each key, and its messages stay as they are", async () => {
    const place = use();
    const user = await place.newUser();
    const id = await said(place, user, `${long}one`);
    await said(place, user, `${long}two`, id);
    const messages = async () =>
      (await place.ask(user, "GET", `/api/conversations/${id}/messages`)).json();
    const before = await messages();
    const headers = { "idempotency-key": randomUUID() };
    const response = await place.ask(user, "POST", pathOf(id), {}, headers);
    const runId = response.headers.get("x-request-id") ?? "";
    const values = await valuesOf(response);
    expect(fieldOf(values.at(-1), "event")).toBe("end");
    expect(fieldOf(values.at(-2), "data", "status")).toBe("complete");
    const log = await place.ask(user, "GET", `/api/agent/runs/${runId}/events?format=log`);
    const types = (await valuesOf(log)).map((event) => fieldOf(event, "type"));
    expect(types.filter((type) => type === "context.compacted")).toEqual(["context.compacted"]);
    expect(await messages()).toEqual(before);
    const again = await place.ask(user, "POST", pathOf(id), { stream: false }, headers);
    expect(again.headers.get("x-request-id")).toBe(runId);
    expect(await again.json()).toMatchObject({
      ...{ outcome: "ok", output: expect.stringMatching(/./), tool_calls: 0 },
    });
  });

  it("only where there is something to summarize, and by whoever may write in it", async () => {
    const place = use();
    const user = await place.newUser();
    const id = await said(place, user, "hello");
    await valuesOf(await place.ask(user, "POST", pathOf(id), {}));
    const nothing = await place.ask(user, "POST", pathOf(id), {});
    expect(nothing.status).toBe(409);
    expect(await nothing.json()).toMatchObject({
      type: expect.stringMatching(/nothing-to-compact$/),
    });
    const runs = await place.ask(user, "GET", `/api/conversations/${id}/runs`);
    expect(Object(fieldOf(await runs.json(), "items")).length).toBe(2);
    const stranger = await place.newUser();
    expect((await place.ask(stranger, "POST", pathOf(id), {})).status).toBe(404);
    expect((await place.ask(user, "POST", pathOf(randomUUID()), {})).status).toBe(404);
    // The conversation can be used as before.
    await said(place, user, "more", id);
  });

  it("not during a run", async () => {
    const place = use();
    const user = await place.newUser();
    const gate = randomUUID();
    const body = { user_input: `call wait_for_test {"name":"${gate}"}` };
    const running = await place.ask(user, "POST", "/api/agent/execute", body);
    await place.tools.waits(gate);
    const id = running.headers.get("x-conversation-id") ?? "";
    const refused = await place.ask(user, "POST", pathOf(id), {});
    expect(refused.status).toBe(409);
    expect(await refused.json()).toMatchObject({
      type: expect.stringMatching(/conversation-busy$/),
    });
    await place.ask(
      user,
      "POST",
      `/api/agent/runs/${running.headers.get("x-request-id")}/cancel`,
      {},
    );
    await readUntil(running, (value) => fieldOf(value, "event") === "end");
  });
});
