/** Tools that a person runs: one call, no model, the same stream as any run. */
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { describeEveryPlace, type TestPlace, type TestUser } from "./testing/place.js";
import { fieldOf, readUntil, textAtPath, valuesOf } from "./testing/reading.js";

async function conversationOf({ ask }: TestPlace, user: TestUser): Promise<string> {
  const body = { user_input: "say hello", stream: false };
  const response = await ask(user, "POST", "/api/agent/execute", body);
  expect(await response.json()).toMatchObject({ outcome: "ok" });
  return response.headers.get("x-conversation-id") ?? "";
}

const pathOf = (conversationId: string): string => `/api/conversations/${conversationId}/calls`;

describeEveryPlace(
  "a person's own call",
  (use) => {
    it("runs now, is told like any run, and is in the conversation", async () => {
      const place = use();
      const user = await place.newUser();
      const id = await conversationOf(place, user);
      const body = { tool_name: "echo", arguments: { text: "by hand" } };
      const response = await place.ask(user, "POST", pathOf(id), body);
      expect(response.headers.get("x-conversation-id")).toBe(id);
      const runId = response.headers.get("x-request-id") ?? "";
      const values = await valuesOf(response);
      const told = values.map((value) =>
        fieldOf(value, "event") === "tool_event"
          ? fieldOf(value, "data", "event")
          : fieldOf(value, "event"),
      );
      expect(told).toEqual([
        "status_update",
        "tool_started",
        "tool_progress",
        "tool_completed",
        "data",
        "end",
      ]);
      const again = await place.ask(user, "GET", `/api/agent/runs/${runId}/events`);
      expect(await valuesOf(again)).toEqual(values);
      const rows = await place.ask(user, "GET", `/api/conversations/${id}/tool-calls`);
      expect(fieldOf(await rows.json(), "items")).toMatchObject([
        { tool_name: "echo", arguments: { text: "by hand" }, output: "by hand", success: true },
      ]);
      const whole = await place.ask(user, "POST", pathOf(id), { ...body, stream: false });
      expect(await whole.json()).toMatchObject({ outcome: "ok", output: "by hand", tool_calls: 1 });
    });

    it("asks nobody, but what is denied stays denied, and what does not fit fails", async () => {
      const place = use();
      const user = await place.newUser();
      const id = await conversationOf(place, user);
      const ran = async (tool_name: string, args: object, prompt_id = "default") => {
        const body = { tool_name, arguments: args, prompt_id, stream: false };
        return (await place.ask(user, "POST", pathOf(id), body)).json();
      };
      expect(await ran("ask_first", { command: "ls" })).toMatchObject({
        outcome: "ok",
        output: "ran ls",
      });
      expect(await ran("ask_first", { command: "ls" }, "strict")).toMatchObject({
        outcome: "error",
      });
      expect(await ran("echo", { txt: "x" })).toMatchObject({ outcome: "error" });
    });

    it("is refused where there is no such tool, no such conversation, or no right to change it", async () => {
      const place = use();
      const [owner, reader] = [await place.newUser(), await place.newUser()];
      const id = await conversationOf(place, owner);
      const call = { tool_name: "echo", arguments: { text: "x" } };
      const refusal = async (user: TestUser, path: string, body: object) => {
        const response = await place.ask(user, "POST", path, body);
        const problem: unknown = await response.json();
        return [response.status, textAtPath(problem, "type").split(":").at(-1)];
      };
      expect(await refusal(owner, pathOf(id), { tool_name: "nothing" })).toEqual([
        422,
        "unknown-tool",
      ]);
      expect(await refusal(owner, pathOf(id), { ...call, arguments: [1] })).toEqual([
        422,
        "invalid-request",
      ]);
      expect(await refusal(owner, pathOf(randomUUID()), call)).toEqual([404, "not-found"]);
      expect(await refusal(reader, pathOf(id), call)).toEqual([404, "not-found"]);
      const share = { user_id: reader.userId, level: "viewer" };
      await place.ask(owner, "POST", `/api/conversations/${id}/shares`, share);
      expect(await refusal(reader, pathOf(id), call)).toEqual([403, "read-only"]);
    });

    it("is the same run for the same key, and can be stopped from anywhere", async () => {
      const place = use();
      const user = await place.newUser();
      const id = await conversationOf(place, user);
      const name = randomUUID();
      const body = { tool_name: "count", arguments: { name }, stream: false };
      const headers = { "idempotency-key": randomUUID() };
      const answers = await Promise.all(
        [1, 2, 3].map(() => place.ask(user, "POST", pathOf(id), body, headers)),
      );
      const runIds = answers.map((answer) => answer.headers.get("x-request-id"));
      expect(new Set(runIds).size).toBe(1);
      expect(place.tools.counts.get(name)).toBe(1);
      const other = { ...body, arguments: { name: randomUUID() } };
      expect((await place.ask(user, "POST", pathOf(id), other, headers)).status).toBe(422);
      const gate = randomUUID();
      const waiting = { tool_name: "wait_for_test", arguments: { name: gate } };
      const response = await place.ask(user, "POST", pathOf(id), waiting);
      await place.tools.waits(gate);
      const path = `/api/agent/runs/${response.headers.get("x-request-id")}/cancel`;
      expect((await place.ask(user, "POST", path, {})).status).toBe(202);
      const values = await readUntil(response, (value) => fieldOf(value, "event") === "end");
      expect(fieldOf(values.at(-2), "data", "status")).toBe("cancelled");
    });
  },
  {
    agents: { strict: { approval: { deny: ["ask_first"] } } },
  },
);
