/** Our own log: a life without a finding, and each fault of the fold under the name of its rule. */
import { describe, expect, test } from "vitest";
import { checkStream } from "../checker.js";

interface Draft {
  readonly type: string;
  readonly [field: string]: unknown;
}

const written = (drafts: readonly Draft[]): readonly string[] =>
  drafts.map((draft, index) =>
    JSON.stringify({ v: 1, runId: "r1", seq: index + 1, at: 0, ...draft }),
  );

const check = (...drafts: readonly Draft[]): readonly string[] =>
  checkStream(written(drafts).join("\n")).findings.map(({ line, rule, callId, severity }) =>
    [line, severity === "suspicion" ? `${rule}?` : rule, callId].join(" ").trim(),
  );

const started: Draft = { type: "run.started", conversationId: "k1", model: "m" };
const message: Draft = { type: "message.opened", messageId: "m1", role: "assistant" };
const opened: Draft = {
  type: "call.opened",
  callId: "c1",
  messageId: "m1",
  toolName: "shell",
  toolType: "local",
};
const delta = (offset: number, text: string): Draft => ({
  type: "call.input.delta",
  callId: "c1",
  offset,
  text,
});
const input: Draft = { type: "call.input.closed", callId: "c1", parsed: true, input: {} };
const asked: Draft = { type: "call.approval.asked", callId: "c1", approvalId: "a1", options: [] };
const answered = (allowed: boolean): Draft => ({
  type: "call.approval.answered",
  callId: "c1",
  approvalId: "a1",
  allowed,
  answeredBy: "someone",
});
const running: Draft = { type: "call.run.started", callId: "c1" };
const closed: Draft = { type: "call.closed", callId: "c1", outcome: "ok", output: "done" };
const failed: Draft = {
  type: "call.closed",
  callId: "c1",
  outcome: "error",
  errorType: "exit_code",
  message: "exit code 1",
};
const messageClosed: Draft = { type: "message.closed", messageId: "m1" };
const runClosed: Draft = {
  type: "run.closed",
  outcome: "ok",
  usage: { inputTokens: 0, outputTokens: 0 },
  calls: 1,
};
const ends = [messageClosed, runClosed];

describe("healthy", () => {
  const life = [
    started,
    message,
    opened,
    delta(0, "{"),
    delta(1, "}"),
    input,
    asked,
    answered(true),
    running,
    closed,
    ...ends,
  ];
  test("a whole run", () => {
    expect(checkStream(written(life).join("\n"))).toEqual({
      dialect: "log",
      lines: 12,
      calls: 1,
      findings: [],
    });
  });
  test("a run that is parked", () => {
    const waiting = [started, message, opened, input, asked, messageClosed];
    expect(check(...waiting, { type: "run.parked" })).toEqual([]);
    expect(check(...waiting, { type: "run.parked" }, { type: "run.resumed" })).toEqual([
      "8 missing-end",
      "8 open-at-stream-end c1",
    ]);
  });
  test("two runs interleaved in one recording", () => {
    const one = written(life);
    const two = one.map((line) => line.replace('"r1"', '"r2"'));
    const both = one.flatMap((line, index) => [line, two[index] ?? ""]);
    expect(checkStream(both.join("\n")).findings).toEqual([]);
  });
  test("merged deltas leave no gap", () => {
    const merged = { ...delta(0, "{}"), from: 4, seq: 5 };
    const rest = [input, running, closed, ...ends].map((draft, index) => ({
      ...draft,
      seq: index + 6,
    }));
    expect(check(started, message, opened, merged, ...rest)).toEqual([]);
  });
});

describe("broken", () => {
  test("brackets of a call", () => {
    const calls = [opened, opened, input, running, closed, closed, running, running];
    expect(check(started, message, ...calls, ...ends)).toEqual([
      "4 opened-twice c1",
      "8 closed-twice c1",
      "9 update-after-close c1",
    ]);
    expect(check(started, message, input, running, ...ends)).toEqual(["3 update-before-open c1"]);
  });
  test("every open call at the end of the run is named", () => {
    const other = { ...opened, callId: "c2" };
    expect(check(started, message, opened, other, messageClosed, runClosed)).toEqual([
      "6 open-at-turn-end c1",
      "6 open-at-turn-end c2",
    ]);
    expect(check(started, message, opened)).toEqual(["3 missing-end", "3 open-at-stream-end c1"]);
  });
  test("arguments and approval", () => {
    expect(check(started, message, opened, delta(2, "x"), running, failed, ...ends)).toEqual([
      "4 delta-hole c1",
      "5 run-before-input c1",
    ]);
    expect(check(started, message, opened, input, delta(0, "x"), failed, ...ends)).toEqual([
      "5 input-after-close c1",
    ]);
    expect(check(started, message, opened, input, asked, running, failed, ...ends)).toEqual([
      "6 run-without-approval c1",
    ]);
    expect(
      check(started, message, opened, input, asked, answered(false), running, failed, ...ends),
    ).toEqual(["7 run-after-denial c1"]);
    expect(check(started, message, opened, input, answered(true), failed, ...ends)).toEqual([
      "5 approval-mismatch c1",
    ]);
  });
  test("a good end of a call that is not running", () => {
    const early = [[], [input], [input, asked], [input, asked, answered(false)]];
    for (const moves of early) {
      expect(check(started, message, opened, ...moves, closed, ...ends)).toEqual([
        `${4 + moves.length} completed-without-run c1`,
      ]);
    }
    expect(check(started, message, opened, input, running, closed, ...ends)).toEqual([]);
  });
  test("numbers", () => {
    expect(check(started, { ...message, seq: 3 }, { ...messageClosed, seq: 3 })).toEqual([
      "2 seq-gap",
      "3 seq-repeated",
      "3 missing-end",
    ]);
    const unnumbered = JSON.stringify({ v: 1, runId: "r1", at: 0, type: "run.closed" });
    const report = checkStream([...written([started]), unnumbered].join("\n"));
    expect(report.findings.map(({ rule }) => rule)).toEqual(["seq-missing", "missing-end"]);
  });
  test("the run's own brackets", () => {
    expect(check(started, started, message, ...ends, runClosed, message)).toEqual([
      "2 started-twice",
      "6 ended-twice",
      "7 event-after-end",
    ]);
    expect(check(message, opened)).toEqual(["1 missing-start"]);
    const late = { ...started, seq: 1 };
    expect(check({ ...message, seq: 2 }, late, { ...runClosed, seq: 3 })).toEqual([
      "1 missing-start",
      "3 seq-gap",
    ]);
  });
  test("messages and parts", () => {
    const text = { type: "text.delta", messageId: "m1", partId: "p1", offset: 0, text: "a" };
    expect(check(started, text, message, message, text, messageClosed, runClosed)).toEqual([
      "2 part-not-open",
      "4 part-opened-twice",
      "6 part-left-open",
    ]);
  });
  test("events that do not parse", () => {
    expect(
      check(started, { ...message, role: "robot" }, { type: "call.danced" }, runClosed),
    ).toEqual(["2 malformed-line", "3 malformed-line", "4 seq-gap"]);
    expect(check(started, { type: "dance" }, { ...runClosed, seq: 2 })).toEqual([
      "2 unknown-type?",
    ]);
  });
});
