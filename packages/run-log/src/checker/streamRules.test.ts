/** For every rule about a stream, the smallest stream that breaks it: exact lines, calls, rules. */
import { describe, expect, test } from "vitest";
import { checkStream } from "./checker.js";
import { rules, type streamRules } from "./rules.js";
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

const agUi = (type: string, fields: object = {}) => ({ type, ...fields });
const runStarted = agUi("RUN_STARTED", { threadId: "t", runId: "r" });
const runFinished = agUi("RUN_FINISHED", { threadId: "t", runId: "r" });

const rpc = (fields: object) => ({ jsonrpc: "2.0", ...fields });
const v1 = rpc({ id: 0, result: { protocolVersion: 1 } });
const prompted = rpc({ id: 2, method: "session/prompt", params: { sessionId: "s1", prompt: [] } });

const finish = { type: "finish" };

const broken: Readonly<Record<keyof typeof streamRules, Broken>> = {
  "malformed-line": {
    lines: [stage("start"), "{oops", "[]", stageEnd],
    findings: ["2 malformed-line", "3 malformed-line"],
  },
  "unknown-dialect": { lines: [{ hello: 1 }], findings: ["1 unknown-dialect"] },
  "unknown-type": {
    lines: [runStarted, agUi("DANCE"), agUi("DANCE"), runFinished],
    findings: ["2 unknown-type?"],
  },
  "missing-field": {
    lines: [{ stage: "start", id: "c1" }, stageEnd],
    findings: ["1 missing-field c1", "1 missing-field c1"],
  },
  "forbidden-field": {
    lines: [stage("start", { result: "x" }), stage("running", { isRunning: true }), stageEnd],
    findings: ["1 forbidden-field c1", "2 forbidden-field c1"],
  },
  "null-field": {
    lines: [opened, updated({ status: "completed", content: null })],
    findings: ["2 null-field c1"],
  },
  "unknown-value": {
    lines: [
      {
        ...opened,
        params: { ...opened.params, update: { ...opened.params.update, kind: "dance" } },
      },
      updated({ status: "failed" }),
      answered("finished"),
    ],
    findings: ["1 unknown-value c1", "3 unknown-value"],
  },
  "wrong-version": {
    lines: [v1, opened, updated({ status: "cancelled" })],
    findings: ["3 wrong-version c1"],
  },
  "unknown-session": {
    lines: [
      ...[
        rpc({ id: 1, method: "session/new", params: {} }),
        rpc({ id: 1, result: { sessionId: "s0" } }),
      ],
      ...[opened, updated({ status: "failed" })],
    ],
    findings: ["3 unknown-session"],
  },
  "resume-replays": {
    lines: [
      rpc({ id: 1, method: "session/resume", params: { sessionId: "s1" } }),
      ...[opened, updated({ status: "failed" }), rpc({ id: 1, result: {} })],
    ],
    findings: ["2 resume-replays"],
  },
  "request-unanswered": { lines: [prompted], findings: ["1 request-unanswered"] },
  "answered-twice": {
    lines: [prompted, answered("end_turn"), answered("end_turn")],
    findings: ["3 answered-twice"],
  },
  "cancel-not-honoured": {
    lines: [
      ...[prompted, opened, rpc({ method: "session/cancel", params: { sessionId: "s1" } })],
      ...[updated({ status: "failed" }), answered("end_turn")],
    ],
    findings: ["5 cancel-not-honoured"],
  },
  "capability-not-given": {
    lines: [
      rpc({ id: 0, method: "initialize", params: { protocolVersion: 1 } }),
      rpc({ id: 0, result: { protocolVersion: 1, agentCapabilities: {} } }),
      rpc({ id: 1, method: "session/load", params: { sessionId: "s1", cwd: "/" } }),
      rpc({ id: 1, result: {} }),
      rpc({ id: 5, method: "fs/read_text_file", params: { sessionId: "s1", path: "/a" } }),
      rpc({ id: 5, result: { content: "" } }),
    ],
    findings: ["3 capability-not-given", "5 capability-not-given"],
  },
  "answer-without-request": {
    lines: [
      rpc({ id: 0, method: "initialize", params: { protocolVersion: 1 } }),
      rpc({ id: 0, result: { protocolVersion: 1 } }),
      rpc({ id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } }),
      rpc({ id: 7, result: { sessionId: "s1" } }),
      rpc({ id: 1, result: { sessionId: "s2" } }),
    ],
    findings: ["4 answer-without-request"],
  },
  "id-reused": {
    lines: [
      prompted,
      rpc({ id: 2, method: "session/set_mode", params: { sessionId: "s1", modeId: "ask" } }),
      rpc({ id: 2, result: { stopReason: "end_turn" } }),
    ],
    findings: ["2 id-reused"],
  },
  "terminal-left-open": {
    lines: [
      prompted,
      rpc({ id: 5, method: "terminal/create", params: { sessionId: "s1", command: "ls" } }),
      rpc({ id: 5, result: { terminalId: "t" } }),
      rpc({ id: 2, result: { stopReason: "end_turn" } }),
    ],
    findings: ["4 terminal-left-open?"],
  },
  "terminal-not-open": {
    lines: [
      prompted,
      rpc({ id: 5, method: "terminal/create", params: { sessionId: "s1", command: "ls" } }),
      rpc({ id: 5, result: { terminalId: "t" } }),
      rpc({ id: 6, method: "terminal/release", params: { sessionId: "s1", terminalId: "t" } }),
      rpc({ id: 6, result: {} }),
      rpc({ id: 7, method: "terminal/output", params: { sessionId: "s1", terminalId: "t" } }),
      rpc({ id: 7, result: { output: "", truncated: false } }),
      rpc({ id: 2, result: { stopReason: "end_turn" } }),
    ],
    findings: ["6 terminal-not-open"],
  },
  "seq-gap": {
    lines: [
      { v: 1, runId: "r1", seq: 1, at: 0, type: "run.started", conversationId: "k1", model: "m" },
      {
        ...{ v: 1, runId: "r1", seq: 3, at: 0, type: "run.closed", outcome: "ok", calls: 0 },
        usage: { inputTokens: 0, outputTokens: 0 },
      },
    ],
    findings: ["2 seq-gap"],
  },
  "seq-repeated": {
    lines: [
      { event: "chunk", data: "a", seq: 2 },
      { event: "chunk", data: "a", seq: 2 },
      { event: "chunk", data: "a", seq: 1 },
      { ...end, seq: 4 },
    ],
    findings: ["2 seq-repeated", "3 seq-repeated"],
  },
  "seq-missing": {
    lines: [{ event: "chunk", data: "a", seq: 1 }, end],
    findings: ["2 seq-missing"],
  },
  "timestamp-regressed": {
    lines: [toolEvent("tool_started", { timestamp: 2 }), toolEvent("tool_completed"), end],
    findings: ["2 timestamp-regressed? c1"],
  },
  "missing-start": { lines: [agUi("CUSTOM"), runFinished], findings: ["1 missing-start"] },
  "started-twice": {
    lines: [runStarted, runStarted, runFinished],
    findings: ["2 started-twice"],
  },
  "missing-end": { lines: [{ event: "chunk", data: "a" }], findings: ["1 missing-end"] },
  "ended-twice": { lines: [end, end], findings: ["2 ended-twice"] },
  "event-after-end": {
    lines: [end, { event: "chunk", data: "a" }],
    findings: ["2 event-after-end"],
  },
  "update-before-session": {
    lines: [
      opened,
      updated({ status: "failed" }),
      { jsonrpc: "2.0", id: 1, result: { sessionId: "s1" } },
    ],
    findings: ["3 update-before-session"],
  },
  "unattributable-answer": {
    lines: [
      { ...opened, params: { ...opened.params, sessionId: "s2" } },
      opened,
      answered("end_turn"),
    ],
    findings: ["3 unattributable-answer?", "3 open-at-stream-end c1", "3 open-at-stream-end c1"],
  },
  "part-opened-twice": {
    lines: [
      { type: "text-start", id: "t1" },
      { type: "text-start", id: "t1" },
      { type: "text-end", id: "t1" },
      finish,
    ],
    findings: ["2 part-opened-twice"],
  },
  "part-not-open": {
    lines: [{ type: "text-delta", id: "t1", delta: "a" }, finish],
    findings: ["1 part-not-open"],
  },
  "part-left-open": {
    lines: [
      { type: "start-step" },
      { type: "text-start", id: "t1" },
      { type: "finish-step" },
      finish,
    ],
    findings: ["3 part-left-open"],
  },
};

describe("every rule about streams has a stream that breaks it", () => {
  test.each(Object.entries(broken))("%s", (rule, { lines, findings }) => {
    const text = lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line)));
    const report = checkStream(text.join("\n"));
    expect(brief(report)).toEqual(findings);
    expect(report.findings.some((finding) => finding.rule === rule)).toBe(true);
  });
});

test("every rule has a description of one line", () => {
  for (const description of Object.values(rules)) expect(description).toMatch(/^[A-Z].*\.$/);
});
