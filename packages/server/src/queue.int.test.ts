/** Messages for a conversation whose run is under way, on one node and on two. */
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { describeEveryPlace, type TestPlace, type TestUser } from "./testing/place.js";
import { fieldOf, textAtPath, valuesOf } from "./testing/reading.js";

/** A conversation whose run waits for the test. */
async function busy({ ask, tools }: TestPlace, user: TestUser, after = "say over") {
  const conversation_id = randomUUID();
  const gate = randomUUID();
  const user_input = `call wait_for_test {"name":"${gate}"}\n${after}`;
  const response = await ask(user, "POST", "/api/agent/execute", { conversation_id, user_input });
  await tools.waits(gate);
  const runId = response.headers.get("x-request-id") ?? "";
  return { conversation_id, runId, response, release: () => tools.release(gate) };
}

async function jsonOf(response: Response): Promise<unknown> {
  return response.json();
}

/** What the users said in a conversation, in order, once a message with this text is there. */
async function saidUntil({ ask }: TestPlace, user: TestUser, id: string, last: string) {
  for (;;) {
    const page = await jsonOf(await ask(user, "GET", `/api/conversations/${id}/messages`));
    const items = fieldOf(page, "items");
    const rows = Array.isArray(items) ? items : [];
    const texts = rows.map((row) => [
      textAtPath(row, "role"),
      textAtPath(row, "content", 0, "text"),
    ]);
    if (texts.some(([, text]) => text === last)) return texts;
  }
}

describeEveryPlace("a message for a busy conversation", (use) => {
  it("waits, is listed, edited and taken back, and starts the next run", async () => {
    const place = use();
    const { ask, newUser } = place;
    const user = await newUser();
    const { conversation_id, runId, response, release } = await busy(place, user);
    const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const execute = (user_input: string, headers: Record<string, string> = {}) => {
      const body = { conversation_id, user_input, when_busy: "queue" };
      return ask(user, "POST", "/api/agent/execute", body, headers);
    };
    const first = await execute("say one", { traceparent });
    expect(first.status).toBe(202);
    const answer = await jsonOf(first);
    const messageId = textAtPath(answer, "message_id");
    expect(answer).toEqual({
      status: "queued",
      message_id: messageId,
      conversation_id,
      waits_in: runId,
    });
    const other = textAtPath(await jsonOf(await execute("say two")), "message_id");
    const path = `/api/conversations/${conversation_id}/queue`;
    const edit = { user_input: "say one, better" };
    expect((await ask(user, "PATCH", `${path}/${messageId}`, edit)).status).toBe(204);
    expect((await ask(user, "DELETE", `${path}/${other}`)).status).toBe(204);
    const gone = await ask(user, "DELETE", `${path}/${other}`);
    expect([gone.status, textAtPath(await jsonOf(gone), "type")]).toEqual([
      409,
      "urn:callboard:problem:not-waiting",
    ]);
    expect(await jsonOf(await ask(user, "GET", path))).toEqual([
      {
        message_id: messageId,
        text: "say one, better",
        images: 0,
        when: "queue",
        sent_by: user.userId,
        queued_at: expect.any(Number),
      },
    ]);
    release();
    const told = await valuesOf(response);
    const statuses = told
      .map((value) => textAtPath(value, "data", "status"))
      .filter((status) => status.startsWith("message_"));
    expect(statuses).toEqual([
      "message_queued",
      "message_queued",
      "message_requeued",
      "message_unqueued",
      "message_unqueued",
    ]);
    expect(await saidUntil(place, user, conversation_id, "Rehearsal: one, better")).toEqual([
      ["user", expect.stringContaining("wait_for_test")],
      ["assistant", expect.anything()],
      ["tool", ""],
      ["assistant", "Rehearsal: over"],
      ["user", "say one, better"],
      ["assistant", "Rehearsal: one, better"],
    ]);
    expect(await jsonOf(await ask(user, "GET", path))).toEqual([]);
    const runs = await jsonOf(await ask(user, "GET", `/api/conversations/${conversation_id}/runs`));
    const next = `/api/agent/runs/${textAtPath(runs, "items", 1, "id")}/events?format=log`;
    const [started] = await valuesOf(await ask(user, "GET", next));
    expect(fieldOf(started, "traceparent")).toBe(traceparent);
  });

  it("is read by the running model at its next step when it steers", async () => {
    const place = use();
    const { ask, newUser } = place;
    const user = await newUser();
    const { conversation_id, response, release } = await busy(place, user);
    const body = { conversation_id, user_input: "say steered", when_busy: "steer" };
    expect((await ask(user, "POST", "/api/agent/execute", body)).status).toBe(202);
    release();
    const values = await valuesOf(response);
    const chunks = values.filter((value) => fieldOf(value, "event") === "chunk");
    expect(chunks.map((value) => textAtPath(value, "data")).join("")).toBe("Rehearsal: steered");
    const unqueued = values.find(
      (value) => fieldOf(value, "data", "status") === "message_unqueued",
    );
    expect(fieldOf(unqueued, "data", "metadata", "outcome")).toBe("delivered");
  });

  it("starts a run at once where nothing runs", async () => {
    const { ask, newUser } = use();
    const body = { user_input: "say now", when_busy: "queue", stream: false };
    const response = await ask(await newUser(), "POST", "/api/agent/execute", body);
    expect(await jsonOf(response)).toMatchObject({ outcome: "ok", output: "Rehearsal: now" });
  });

  it("waits once, however often the same key asks, and its run has the id of the key", async () => {
    const place = use();
    const { ask, newUser } = place;
    const user = await newUser();
    const { conversation_id, response, release } = await busy(place, user);
    const key = { "idempotency-key": randomUUID() };
    const body = { conversation_id, user_input: "say once", when_busy: "queue" };
    const execute = () => ask(user, "POST", "/api/agent/execute", body, key);
    const answers = [await jsonOf(await execute()), await jsonOf(await execute())];
    expect(answers[1]).toEqual(answers[0]);
    release();
    await valuesOf(response);
    await saidUntil(place, user, conversation_id, "Rehearsal: once");
    const again = await execute();
    expect(again.status).toBe(200);
    const texts = (await valuesOf(again))
      .filter((value) => fieldOf(value, "event") === "chunk")
      .map((value) => textAtPath(value, "data"));
    expect(texts.join("")).toBe("Rehearsal: once");
    const runs = await jsonOf(await ask(user, "GET", `/api/conversations/${conversation_id}/runs`));
    const items = fieldOf(runs, "items");
    expect(Array.isArray(items) ? items.length : 0).toBe(2);
  });

  it("still starts its run when the one before it is cancelled", async () => {
    const place = use();
    const { ask, newUser } = place;
    const user = await newUser();
    const { conversation_id, runId, response } = await busy(place, user);
    const body = { conversation_id, user_input: "say instead", when_busy: "queue" };
    expect((await ask(user, "POST", "/api/agent/execute", body)).status).toBe(202);
    await ask(user, "POST", `/api/agent/runs/${runId}/cancel`, {});
    await valuesOf(response);
    await saidUntil(place, user, conversation_id, "Rehearsal: instead");
  });

  it("ends in a run of its own with the reason where its run cannot start, and the next one continues", async () => {
    const place = use();
    const { ask, newUser } = place;
    const user = await newUser();
    const { conversation_id, response, release } = await busy(place, user);
    const tool = { name: "echo", input_schema: { type: "object" } };
    const bad = { user_input: "say never", client_tools: [tool] };
    for (const more of [bad, { user_input: "say after" }]) {
      const body = { conversation_id, when_busy: "queue", ...more };
      expect((await ask(user, "POST", "/api/agent/execute", body)).status).toBe(202);
    }
    release();
    await valuesOf(response);
    const said = await saidUntil(place, user, conversation_id, "Rehearsal: after");
    expect(said.slice(4)).toEqual([
      ["user", "say never"],
      ["user", "say after"],
      ["assistant", "Rehearsal: after"],
    ]);
    const path = `/api/conversations/${conversation_id}/runs`;
    const items = fieldOf(await jsonOf(await ask(user, "GET", path)), "items");
    const runs = Array.isArray(items) ? items : [];
    expect(runs.length).toBe(3);
    expect([textAtPath(runs[1], "status"), textAtPath(runs[1], "error")]).toEqual([
      "failed",
      expect.stringContaining("echo"),
    ]);
    expect(
      await jsonOf(await ask(user, "GET", `/api/conversations/${conversation_id}/queue`)),
    ).toEqual([]);
  });

  it("is refused at once where its agent or its model cannot be had", async () => {
    const place = use();
    const { ask, newUser } = place;
    const user = await newUser();
    const { conversation_id, response, release } = await busy(place, user);
    const wishes = [{ config_overrides: { model: "nobody:offers-it" } }, { prompt_id: "nobody" }];
    for (const wish of wishes) {
      const body = { conversation_id, user_input: "say never", when_busy: "queue", ...wish };
      const refused = await ask(user, "POST", "/api/agent/execute", body);
      expect(refused.status).toBe(422);
    }
    release();
    await valuesOf(response);
    const runs = await ask(user, "GET", `/api/conversations/${conversation_id}/runs`);
    expect(Object(fieldOf(await jsonOf(runs), "items")).length).toBe(1);
  });

  it("is nobody else's to read or change", async () => {
    const place = use();
    const { ask, newUser } = place;
    const user = await newUser();
    const stranger = await newUser();
    const { conversation_id, response, release } = await busy(place, user);
    const body = { conversation_id, user_input: "say mine", when_busy: "queue" };
    const queued = await jsonOf(await ask(user, "POST", "/api/agent/execute", body));
    const path = `/api/conversations/${conversation_id}/queue`;
    const message = `${path}/${textAtPath(queued, "message_id")}`;
    const asked = [
      await ask(stranger, "GET", path),
      await ask(stranger, "PATCH", message, { user_input: "say theirs" }),
      await ask(stranger, "DELETE", message),
      await ask(stranger, "POST", "/api/agent/execute", body),
    ];
    expect(asked.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    const share = { user_id: stranger.userId, level: "viewer" };
    await ask(user, "POST", `/api/conversations/${conversation_id}/shares`, share);
    const shared = [
      await ask(stranger, "GET", path),
      await ask(stranger, "PATCH", message, { user_input: "say theirs" }),
      await ask(stranger, "DELETE", message),
      await ask(stranger, "POST", "/api/agent/execute", body),
    ];
    expect(shared.map(({ status }) => status)).toEqual([200, 403, 403, 403]);
    release();
    await valuesOf(response);
    await saidUntil(place, user, conversation_id, "Rehearsal: mine");
  });
});
