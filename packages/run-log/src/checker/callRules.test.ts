/** For every rule about a call, the smallest stream that breaks it: exact lines, calls, rules. */
import { describe, expect, test } from "vitest";
import { checkStream } from "./checker.js";
import type { callRules } from "./rules.js";
import {
  answered,
  type Broken,
  brief,
  end,
  opened,
  stage,
  stageEnd,
  toolEvent,
  updated,
} from "./testing/brokenLines.js";

const prompted = {
  jsonrpc: "2.0",
  id: 2,
  method: "session/prompt",
  params: { sessionId: "s1", prompt: [] },
};
const permission = {
  jsonrpc: "2.0",
  id: 0,
  method: "session/request_permission",
  params: {
    sessionId: "s1",
    toolCall: { toolCallId: "c1", status: "pending" },
    options: [
      { optionId: "yes", kind: "allow_once", name: "Yes" },
      { optionId: "no", kind: "reject_once", name: "No" },
    ],
  },
};
const denied = {
  jsonrpc: "2.0",
  id: 0,
  result: { outcome: { outcome: "selected", optionId: "no" } },
};

const agUi = (type: string, fields: object = {}) => ({ type, ...fields });
const runStarted = agUi("RUN_STARTED", { threadId: "t", runId: "r" });
const runFinished = agUi("RUN_FINISHED", { threadId: "t", runId: "r" });
const call = { toolCallId: "c1" };
const callStart = agUi("TOOL_CALL_START", { ...call, toolCallName: "shell" });

const long = (index: number): string => "x".repeat(5_000 + index);

const output = { type: "tool-output-available", ...call, output: "done" };
const finish = { type: "finish" };

let seq = 0;
const log = (type: string, fields: object = {}) => {
  seq = type === "run.started" ? 1 : seq + 1;
  return { v: 1, runId: "r1", seq, at: 0, type, ...fields };
};
const logStart = () => log("run.started", { conversationId: "k1", model: "m" });
const logOpened = (fields: object = {}) => [
  log("message.opened", { messageId: "m1", role: "assistant" }),
  log("call.opened", {
    callId: "c1",
    messageId: "m1",
    toolName: "shell",
    toolType: "local",
    ...fields,
  }),
];
const logFailed = (callId = "c1") =>
  log("call.closed", { callId, outcome: "error", errorType: "x", message: "" });
const logEnd = () => [
  log("message.closed", { messageId: "m1" }),
  log("run.closed", { outcome: "ok", usage: { inputTokens: 0, outputTokens: 0 }, calls: 1 }),
];

const claude = (event: object) => ({ type: "stream_event", session_id: "s", event });
const claudeBlock = { type: "tool_use", id: "c1", name: "Bash", input: { command: "ls" } };
const claudeDelta = { type: "input_json_delta", partial_json: '{"command":"rm"}' };
const claudeResult = { type: "tool_result", tool_use_id: "c1", content: "done" };

const broken: Readonly<Record<keyof typeof callRules, Broken>> = {
  "update-before-open": {
    lines: [permission, updated({ status: "failed" })],
    findings: ["1 update-before-open? c1"],
  },
  "opened-twice": {
    lines: [stage("start"), stageEnd, stage("start"), stageEnd],
    findings: ["3 opened-twice c1"],
  },
  "closed-twice": {
    lines: [stage("start"), stageEnd, stageEnd],
    findings: ["3 closed-twice c1"],
  },
  "update-after-close": {
    lines: [stage("start"), stageEnd, stage("running"), stage("running")],
    findings: ["3 update-after-close c1"],
  },
  "open-at-turn-end": {
    lines: [opened, answered("end_turn")],
    findings: ["2 open-at-turn-end c1"],
  },
  "open-at-stream-end": { lines: [stage("start")], findings: ["1 open-at-stream-end c1"] },
  "update-after-turn-end": {
    lines: [opened, answered("cancelled"), updated({ title: "a" }), updated({ title: "b" })],
    findings: ["2 open-at-turn-end c1", "3 update-after-turn-end c1"],
  },
  "closed-after-turn-end": {
    lines: [opened, answered("cancelled"), updated({ status: "completed" })],
    findings: ["2 open-at-turn-end c1", "3 closed-after-turn-end c1"],
  },
  "stage-regression": {
    lines: [
      opened,
      updated({ status: "in_progress" }),
      updated({ status: "pending" }),
      updated({ status: "completed" }),
      updated({ status: "in_progress" }),
    ],
    findings: ["3 stage-regression c1", "5 stage-regression c1"],
  },
  "input-after-close": {
    lines: [
      runStarted,
      callStart,
      agUi("TOOL_CALL_END", call),
      agUi("TOOL_CALL_ARGS", { ...call, delta: "{}" }),
      agUi("TOOL_CALL_RESULT", { ...call, messageId: "m", content: "" }),
      runFinished,
    ],
    findings: ["4 input-after-close c1"],
  },
  "delta-hole": {
    lines: [
      stage("start"),
      stage("streaming", { parametersChunk: "ab", parameters: "abab" }),
      stageEnd,
    ],
    findings: ["2 delta-hole c1"],
  },
  "delta-overlap": {
    lines: [
      stage("start"),
      stage("streaming", { parametersChunk: "ab", parameters: "ab" }),
      stage("streaming", { parametersChunk: "b", parameters: "ab" }),
      stageEnd,
    ],
    findings: ["3 delta-overlap? c1"],
  },
  "pieces-differ": {
    lines: [
      claude({ type: "content_block_start", index: 0, content_block: claudeBlock }),
      claude({ type: "content_block_delta", index: 0, delta: claudeDelta }),
      { type: "assistant", session_id: "s", message: { id: "m", content: [claudeBlock] } },
      { type: "user", session_id: "s", message: { role: "user", content: [claudeResult] } },
      { type: "result", subtype: "success", session_id: "s" },
    ],
    findings: ["3 pieces-differ c1"],
  },
  "result-before-input": {
    lines: [{ type: "tool-input-start", ...call, toolName: "shell" }, output, finish],
    findings: ["2 result-before-input c1"],
  },
  "run-before-input": {
    lines: [
      { type: "tool-input-start", ...call, toolName: "shell" },
      { ...output, preliminary: true },
      output,
      finish,
    ],
    findings: ["2 run-before-input c1"],
  },
  "progress-before-run": {
    lines: [
      logStart(),
      ...logOpened(),
      log("call.run.progressed", { callId: "c1", progress: { type: "heartbeat" } }),
      logFailed(),
      ...logEnd(),
    ],
    findings: ["4 progress-before-run c1"],
  },
  "completed-without-run": {
    lines: [
      logStart(),
      ...logOpened(),
      log("call.input.closed", { callId: "c1", parsed: true, input: {} }),
      log("call.closed", { callId: "c1", outcome: "ok", output: "" }),
      ...logEnd(),
    ],
    findings: ["5 completed-without-run c1"],
  },
  "run-without-approval": {
    lines: [
      prompted,
      opened,
      permission,
      updated({ status: "in_progress" }),
      denied,
      updated({ status: "failed" }),
      answered("end_turn"),
    ],
    findings: ["4 run-without-approval c1"],
  },
  "run-after-denial": {
    lines: [
      ...[prompted, opened, permission, denied],
      ...[updated({ status: "completed" }), answered("end_turn")],
    ],
    findings: ["5 run-after-denial c1"],
  },
  "approval-mismatch": {
    lines: [
      logStart(),
      ...logOpened(),
      log("call.approval.answered", {
        callId: "c1",
        approvalId: "a1",
        allowed: true,
        answeredBy: "u",
      }),
      logFailed(),
      ...logEnd(),
    ],
    findings: ["4 approval-mismatch c1"],
  },
  "end-without-outcome": {
    lines: [stage("start"), stage("end", { success: true })],
    findings: ["2 end-without-outcome c1"],
  },
  "contradictory-outcome": {
    lines: [opened, updated({ status: "completed", rawOutput: { aborted: true } })],
    findings: ["2 contradictory-outcome c1"],
  },
  "completed-in-cancelled-turn": {
    lines: [opened, updated({ status: "completed" }), answered("cancelled")],
    findings: ["3 completed-in-cancelled-turn? c1"],
  },
  "spinner-on-end": {
    lines: [toolEvent("tool_started"), toolEvent("tool_completed", { show_spinner: true }), end],
    findings: ["2 spinner-on-end c1"],
  },
  "empty-update": {
    lines: [opened, updated({}), updated({ status: "failed" })],
    findings: ["2 empty-update c1"],
  },
  "unchanged-field": {
    lines: [
      ...[opened, updated({ title: "ls", rawInput: { a: 1 } })],
      ...[updated({ rawInput: { a: 1 } }), updated({ status: "failed" })],
    ],
    findings: ["2 unchanged-field? c1", "3 unchanged-field c1"],
  },
  "malformed-content": {
    lines: [
      opened,
      updated({ content: [{ type: "diff", path: "/a", oldText: "x", newText: "x" }] }),
      updated({ status: "failed", locations: [{ path: "a" }] }),
    ],
    findings: ["2 malformed-content c1", "3 malformed-content? c1"],
  },
  "resent-content": {
    lines: [
      opened,
      ...Array.from({ length: 20 }, (_, index) =>
        updated({ content: [{ type: "content", content: { type: "text", text: long(index) } }] }),
      ),
      updated({ status: "completed" }),
    ],
    findings: ["22 resent-content c1"],
  },
  "nested-call-open": {
    lines: [
      logStart(),
      ...logOpened(),
      log("call.opened", {
        callId: "c2",
        messageId: "m1",
        toolName: "read",
        toolType: "local",
        parentCallId: "c1",
      }),
      logFailed(),
      logFailed("c2"),
      ...logEnd(),
    ],
    findings: ["5 nested-call-open c1"],
  },
};

describe("every rule about calls has a stream that breaks it", () => {
  test.each(Object.entries(broken))("%s", (rule, { lines, findings }) => {
    const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
    const report = checkStream(text.join("\n"));
    expect(brief(report)).toEqual(findings);
    expect(report.findings.some((finding) => finding.rule === rule)).toBe(true);
  });
});

describe("what the rules about calls continue from", () => {
  const found = (...lines: readonly object[]): readonly string[] =>
    brief(checkStream(lines.map((line) => JSON.stringify(line)).join("\n")));

  test("a call that is denied while it runs may not continue", () => {
    const running = updated({ status: "in_progress" });
    const failed = updated({ status: "failed" });
    expect(
      found(prompted, opened, running, permission, denied, failed, answered("end_turn")),
    ).toEqual(["4 stage-regression? c1"]);
    const asking = {
      ...permission,
      params: { ...permission.params, toolCall: { toolCallId: "c1" } },
    };
    expect(found(prompted, opened, running, asking, denied, failed, answered("end_turn"))).toEqual(
      [],
    );
    expect(
      found(prompted, opened, running, asking, denied, running, failed, answered("end_turn")),
    ).toEqual(["6 unchanged-field? c1", "6 run-after-denial c1"]);
  });

  test("a field that a question said otherwise may be sent again as it was, and no other", () => {
    const told = updated({ title: "ls", kind: "read", rawInput: { a: 1 } });
    const toolCall = { toolCallId: "c1", kind: "read", rawInput: { a: 2 } };
    const asking = { ...permission, params: { ...permission.params, toolCall } };
    const again = updated({ rawInput: { a: 1 }, kind: "read" });
    const failed = updated({ status: "failed" });
    expect(
      found(prompted, opened, told, asking, denied, again, failed, answered("end_turn")),
    ).toEqual(["3 unchanged-field? c1", "6 unchanged-field? c1"]);
  });

  test("what spoke against an ok before the closing counts at the closing, in a cancelled turn too", () => {
    const aborted = updated({ rawOutput: { aborted: true } });
    const completed = updated({ status: "completed" });
    expect(found(opened, aborted, completed)).toEqual(["3 contradictory-outcome c1"]);
    expect(found(opened, aborted, completed, answered("cancelled"))).toEqual([
      "3 contradictory-outcome c1",
      "4 completed-in-cancelled-turn? c1",
    ]);
  });

  test("a call that the cancellation left open explains the completed one beside it", () => {
    const other = {
      ...opened,
      params: { ...opened.params, update: { ...opened.params.update, toolCallId: "c2" } },
    };
    const completed = updated({ status: "completed" });
    expect(found(opened, other, completed, answered("cancelled"))).toEqual([
      "4 open-at-turn-end c2",
    ]);
  });
});
