/** AG-UI lives: healthy runs without a finding, and the ordering rules of the protocol. */
import { describe, expect, test } from "vitest";
import { checkStream } from "../checker.js";

const check = (...lines: readonly object[]): readonly string[] =>
  checkStream(lines.map((line) => `data: ${JSON.stringify(line)}\n`).join("\n")).findings.map(
    ({ line, rule, callId, severity }) =>
      // Every event takes two lines: its data and the blank line that ends it.
      [(line + 1) / 2, severity === "suspicion" ? `${rule}?` : rule, callId].join(" ").trim(),
  );

const event = (type: string, fields: object = {}) => ({ type, ...fields });
const started = event("RUN_STARTED", { threadId: "t", runId: "r" });
const finished = (outcome?: object) =>
  event("RUN_FINISHED", { threadId: "t", runId: "r", outcome });
const about = { toolCallId: "c1" };
const open = event("TOOL_CALL_START", { ...about, toolCallName: "shell" });
const args = event("TOOL_CALL_ARGS", { ...about, delta: "{}" });
const end = event("TOOL_CALL_END", about);
const result = event("TOOL_CALL_RESULT", { ...about, messageId: "m2", content: "done" });
const message = (type: string, fields: object = {}) =>
  event(`TEXT_MESSAGE_${type}`, { messageId: "m1", ...fields });

describe("healthy", () => {
  test("text, a call, a step, reasoning and a subagent", () => {
    expect(
      check(
        started,
        event("STEP_STARTED", { stepName: "think" }),
        event("REASONING_START", { messageId: "r1" }),
        event("REASONING_MESSAGE_START", { messageId: "r1", role: "reasoning" }),
        event("REASONING_MESSAGE_CONTENT", { messageId: "r1", delta: "hm" }),
        event("REASONING_MESSAGE_END", { messageId: "r1" }),
        event("REASONING_END", { messageId: "r1" }),
        event("STEP_FINISHED", { stepName: "think" }),
        message("START"),
        message("CONTENT", { delta: "a" }),
        open,
        args,
        end,
        event("CUSTOM", { name: "progress", value: 1 }),
        event("SUBAGENT_STARTED", { subagentRunId: "a1", name: "helper" }),
        event("SUBAGENT_FINISHED", { subagentRunId: "a1" }),
        result,
        message("END"),
        finished(),
      ),
    ).toEqual([]);
  });
  test("the chunk shorthand opens and closes by itself", () => {
    expect(
      check(
        started,
        event("TEXT_MESSAGE_CHUNK", { messageId: "m1", delta: "a" }),
        event("TOOL_CALL_CHUNK", { ...about, toolCallName: "shell", delta: "{" }),
        event("TOOL_CALL_CHUNK", { delta: "}" }),
        result,
        event("REASONING_MESSAGE_CHUNK", { messageId: "r1", delta: "a" }),
        finished(),
      ),
    ).toEqual([]);
  });
  test("a frontend tool is left to the application by name", () => {
    expect(
      check(started, open, end, finished({ type: "success", pendingToolCallIds: ["c1"] })),
    ).toEqual([]);
  });
  test("an interrupted call is answered in the next run of the same stream", () => {
    const interrupts = [{ id: "i1", reason: "approval", toolCallId: "c1" }];
    expect(
      check(
        started,
        open,
        end,
        finished({ type: "interrupt", interrupts }),
        started,
        result,
        finished(),
      ),
    ).toEqual([]);
  });
  test("a call of the quoted history may be answered", () => {
    const history = [{ id: "m1", role: "assistant", toolCalls: [{ id: "c1", type: "function" }] }];
    expect(check({ ...started, input: { messages: history } }, result, finished())).toEqual([]);
  });
  test("a result says nothing about how its call ended, so a cancelled run may follow", () => {
    expect(check(started, open, end, result, finished({ type: "cancelled" }))).toEqual([]);
  });
  test("an error ends a run in the middle of a text", () => {
    expect(check(started, message("START"), event("RUN_ERROR", { message: "broken" }))).toEqual([]);
  });
});

describe("broken", () => {
  test("arguments before the start", () => {
    expect(check(started, args, end, result, finished())).toEqual(["2 update-before-open c1"]);
  });
  test("the end of the arguments twice", () => {
    expect(check(started, open, args, end, end, result, finished())).toEqual([
      "5 input-after-close c1",
    ]);
  });
  test("a result before the end of the arguments, and a second one", () => {
    expect(check(started, open, args, result, result, finished())).toEqual([
      "4 result-before-input c1",
      "5 closed-twice c1",
    ]);
  });
  test("an unnamed open call may be the application's, one in its arguments may not", () => {
    expect(check(started, open, end, finished())).toEqual(["4 open-at-turn-end? c1"]);
    expect(check(started, open, args, finished())).toEqual(["4 open-at-turn-end c1"]);
  });
  test("an open call that the run's own list does not name", () => {
    expect(
      check(started, open, end, finished({ type: "success", pendingToolCallIds: ["c2"] })),
    ).toEqual(["4 open-at-turn-end c1"]);
  });
  test("a run that fails, or is cancelled, with an open call", () => {
    expect(check(started, open, end, event("RUN_ERROR", { message: "x" }))).toEqual([
      "4 open-at-turn-end c1",
    ]);
    expect(check(started, open, end, finished({ type: "cancelled" }))).toEqual([
      "4 open-at-turn-end c1",
    ]);
  });
  test("text brackets", () => {
    expect(
      check(
        started,
        message("CONTENT", { delta: "a" }),
        message("START"),
        message("START"),
        finished(),
      ),
    ).toEqual(["2 part-not-open", "4 part-opened-twice", "5 part-left-open"]);
  });
  test("a step and a subagent that never finish", () => {
    expect(
      check(
        started,
        event("STEP_STARTED", { stepName: "a" }),
        event("SUBAGENT_STARTED", { subagentRunId: "a1", name: "b" }),
        finished(),
      ),
    ).toEqual(["4 part-left-open", "4 part-left-open"]);
  });
  test("nothing follows the end, and the end comes once", () => {
    expect(check(started, finished(), message("START"), finished())).toEqual([
      "3 event-after-end",
      "4 ended-twice",
    ]);
  });
  test("no end at all", () => {
    expect(check(started, open)).toEqual(["2 missing-end", "2 open-at-stream-end c1"]);
  });
  test("missing ids and names", () => {
    expect(
      check(
        started,
        event("TOOL_CALL_ARGS", { delta: "" }),
        event("TOOL_CALL_CHUNK", { delta: "" }),
        message("START", { messageId: "" }),
        finished(),
      ),
    ).toEqual(["2 missing-field", "3 missing-field", "4 missing-field"]);
  });
});
