/** What the intake of ACP understands that no life of ours says: habits of other agents, one by one. */
import { expect, test } from "vitest";
import type { RunEvent } from "../../log/events/index.js";
import type { Fields } from "../../values/fields.js";
import { createIntake } from "../intake.js";

const sessionId = "s";
const update = (fields: Fields): Fields => ({
  jsonrpc: "2.0",
  method: "session/update",
  params: { sessionId, update: fields },
});
const prompt = (...blocks: readonly Fields[]): Fields => ({
  jsonrpc: "2.0",
  id: 1,
  method: "session/prompt",
  params: { sessionId, prompt: blocks },
});
const words = { type: "text", text: "go" };

function taken(...lines: readonly Fields[]) {
  const intake = createIntake({ dialect: "acp", sessionId, clock: () => 0 });
  const all = [...lines.map((line) => intake.admit(line)), intake.end()];
  return {
    events: all.flatMap(({ sessions }) => sessions.flatMap(({ events }) => events)),
    findings: all.flatMap(({ findings }) => findings.map(({ code }) => code)),
  };
}

const closings = (events: readonly RunEvent[]) =>
  events.flatMap((event) => {
    if (event.type === "call.closed") {
      const said = event.outcome === "ok" ? event.output : event.message;
      return [`${event.callId} ${event.outcome}: ${said}`];
    }
    return event.type === "run.closed" ? [`run ${event.outcome}`] : [];
  });

test("a terminal of v2 may be told before its call, and cut a character in two", () => {
  const bytes = Buffer.from("naïve ✓");
  const chunk = (from: number, to: number) =>
    update({
      sessionUpdate: "terminal_output_chunk",
      terminalId: "t",
      data: bytes.subarray(from, to).toString("base64"),
    });
  const shows = { content: [{ type: "terminal", terminalId: "t" }] };
  const call = { sessionUpdate: "tool_call_update", toolCallId: "c", title: "echo" };
  const { events, findings } = taken(
    prompt(words),
    chunk(0, 3),
    update({ ...call, status: "in_progress", ...shows }),
    chunk(3, 8),
    chunk(8, bytes.length),
    update({ ...call, status: "completed" }),
    { jsonrpc: "2.0", id: 1, result: { stopReason: "end_turn" } },
  );
  expect(closings(events)).toEqual(["c ok: naïve ✓", "run ok"]);
  expect(findings).toEqual([]);
});

test("a chunk of content may bring a diff", () => {
  const call = { sessionUpdate: "tool_call_update", toolCallId: "c", title: "edit" };
  const item = { type: "diff", path: "/a", oldText: "1", newText: "2" };
  const { events } = taken(
    prompt(words),
    update({ ...call, status: "in_progress" }),
    update({ sessionUpdate: "tool_call_content_chunk", toolCallId: "c", content: item }),
    update({ ...call, status: "completed" }),
  );
  const closed = events.find((event) => event.type === "call.closed");
  expect(closed?.type === "call.closed" && closed.diffs).toEqual([
    { path: "/a", oldText: "1", newText: "2" },
  ]);
});

test("a prompt brings its images and what is attached to it", () => {
  const link = { type: "resource_link", uri: "file:///a", name: "a" };
  const image = { type: "image", data: "AAAA", mimeType: "image/png" };
  const { events } = taken(prompt(words, link, image));
  const said = events.flatMap((event): readonly unknown[] => {
    if (event.type === "text.closed") return [event.text];
    return event.type === "image.attached" ? [event.image] : [];
  });
  expect(said).toEqual(["go\n[a](file:///a)", { data: "AAAA", mediaType: "image/png" }]);
});

test("a prompt of v1 that is answered without a reason is over; one of v2 has only started", () => {
  const answer = { jsonrpc: "2.0", id: 1, result: {} };
  const initialized = (protocolVersion: number) => ({
    ...{ jsonrpc: "2.0", id: 0 },
    result: { protocolVersion },
  });
  expect(closings(taken(initialized(1), prompt(words), answer).events)).toEqual(["run ok"]);
  expect(closings(taken(initialized(2), prompt(words), answer).events)).toEqual([
    "run interrupted",
  ]);
});

test("a question and the prompt around it may have the same id", () => {
  const toolCall = { toolCallId: "c", title: "rm", rawInput: { command: "rm" } };
  const options = [{ optionId: "no", name: "No", kind: "reject_once" }];
  const { events, findings } = taken(
    prompt(words),
    {
      ...{ jsonrpc: "2.0", id: 1, method: "session/request_permission" },
      params: { sessionId, toolCall, options },
    },
    { jsonrpc: "2.0", id: 1, result: { outcome: { outcome: "selected", optionId: "no" } } },
    { jsonrpc: "2.0", id: 1, result: { stopReason: "end_turn" } },
  );
  expect(events.flatMap((event) => (event.type === "call.closed" ? [event.outcome] : []))).toEqual([
    "denied",
  ]);
  expect([events.at(-1)?.type, findings]).toEqual(["run.closed", []]);
});
