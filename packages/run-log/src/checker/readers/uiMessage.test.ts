/** AI SDK UI message streams: healthy ones without a finding, and the order of their chunks. */
import { describe, expect, test } from "vitest";
import { checkStream } from "../checker.js";

const check = (...lines: readonly object[]): readonly string[] =>
  checkStream(lines.map((line) => JSON.stringify(line)).join("\n")).findings.map(
    ({ line, rule, callId, severity }) =>
      [line, severity === "suspicion" ? `${rule}?` : rule, callId].join(" ").trim(),
  );

const chunk = (type: string, fields: object = {}) => ({ type, ...fields });
const about = { toolCallId: "c1", toolName: "shell" };
const inputStart = chunk("tool-input-start", about);
const inputDelta = chunk("tool-input-delta", { toolCallId: "c1", inputTextDelta: "{}" });
const available = chunk("tool-input-available", { ...about, input: {} });
const output = chunk("tool-output-available", { toolCallId: "c1", output: "done" });
const outputError = chunk("tool-output-error", { toolCallId: "c1", errorText: "no" });
const start = chunk("start");
const startStep = chunk("start-step");
const finishStep = chunk("finish-step");
const finish = chunk("finish");

describe("healthy", () => {
  test("steps, text, reasoning, preliminary and final output", () => {
    expect(
      check(
        start,
        startStep,
        chunk("reasoning-start", { id: "r1" }),
        chunk("reasoning-delta", { id: "r1", delta: "a" }),
        chunk("reasoning-end", { id: "r1" }),
        inputStart,
        inputDelta,
        available,
        { ...output, preliminary: true },
        { ...output, preliminary: true },
        output,
        finishStep,
        startStep,
        chunk("text-start", { id: "t1" }),
        chunk("text-delta", { id: "t1", delta: "a" }),
        chunk("text-end", { id: "t1" }),
        chunk("data-weather", { data: 1 }),
        finishStep,
        finish,
      ),
    ).toEqual([]);
  });
  test("server-sent events with their closing mark", () => {
    const text = [start, available, output, finish]
      .map((line) => `data: ${JSON.stringify(line)}\n\n`)
      .join("");
    const report = checkStream(`: keep-alive\n\n${text}data: [DONE]\n\n`);
    expect(report).toEqual({ dialect: "uiMessage", lines: 12, calls: 1, findings: [] });
  });
  test("bad arguments are an input error and then an output error", () => {
    const inputError = chunk("tool-input-error", { ...about, input: "{", errorText: "bad" });
    expect(check(inputStart, inputDelta, inputError, outputError, finish)).toEqual([]);
    expect(check(inputError, finish)).toEqual([]);
  });
  test("a call that waits for an approval is left to the next request", () => {
    const request = chunk("tool-approval-request", { approvalId: "a1", toolCallId: "c1" });
    expect(check(start, available, request, finish)).toEqual([]);
  });
  test("the next request starts with the outputs of approved calls", () => {
    expect(check(start, output, startStep, finishStep, finish)).toEqual([]);
  });
  test("an abort or an error in the middle of a text", () => {
    expect(check(start, startStep, chunk("text-start", { id: "t1" }), chunk("abort"))).toEqual([]);
    expect(
      check(
        start,
        startStep,
        chunk("text-start", { id: "t1" }),
        chunk("error", { errorText: "x" }),
      ),
    ).toEqual([]);
  });
});

describe("broken", () => {
  test("output before input", () => {
    expect(check(start, startStep, output, finishStep, finish)).toEqual([
      "3 update-before-open c1",
    ]);
  });
  test("output after output", () => {
    expect(check(available, output, output, outputError, finish)).toEqual([
      "3 closed-twice c1",
      "4 closed-twice c1",
    ]);
  });
  test("arguments after the complete arguments", () => {
    expect(check(inputStart, available, inputDelta, output, finish)).toEqual([
      "3 input-after-close c1",
    ]);
  });
  test("a call whose id is used twice", () => {
    expect(check(inputStart, available, output, inputStart, available, output, finish)).toEqual([
      "4 opened-twice c1",
    ]);
  });
  test("aborted in the arguments, in the tool, and by an error", () => {
    expect(check(inputStart, inputDelta, chunk("abort"))).toEqual(["3 open-at-turn-end c1"]);
    expect(check(available, chunk("abort"))).toEqual(["2 open-at-turn-end c1"]);
    expect(check(inputStart, chunk("error", { errorText: "x" }))).toEqual([
      "2 open-at-turn-end c1",
    ]);
  });
  test("finished without an output: the client's tool, perhaps", () => {
    expect(check(available, finish)).toEqual(["2 open-at-turn-end? c1"]);
    expect(check(inputStart, finish)).toEqual(["2 open-at-turn-end c1"]);
  });
  test("an output after the approval was denied", () => {
    const request = chunk("tool-approval-request", { approvalId: "a1", toolCallId: "c1" });
    const response = chunk("tool-approval-response", { approvalId: "a1", approved: false });
    expect(check(available, request, response, output, finish)).toEqual(["4 run-after-denial c1"]);
  });
  test("an abort right after an output", () => {
    expect(check(available, output, chunk("abort"))).toEqual(["3 completed-in-cancelled-turn? c1"]);
  });
  test("preliminary outputs that send everything again", () => {
    const lines = Array.from({ length: 60 }, (_, index) => ({
      ...output,
      output: "x".repeat(100 * index),
      preliminary: true,
    }));
    expect(check(available, ...lines, output, finish)).toEqual(["62 resent-content c1"]);
  });
  test("step brackets", () => {
    expect(check(startStep, startStep, finishStep, finishStep, finish)).toEqual([
      "2 part-opened-twice",
      "4 part-not-open",
    ]);
    expect(check(startStep, finish)).toEqual(["2 part-left-open"]);
  });
  test("ends", () => {
    expect(check(start, start, finish, finish, output)).toEqual([
      "2 started-twice?",
      "4 ended-twice",
      "5 event-after-end",
    ]);
    expect(check(start, available)).toEqual(["2 missing-end", "2 open-at-stream-end c1"]);
  });
  test("chunks without an id and unknown chunks", () => {
    expect(
      check(
        start,
        chunk("text-start"),
        chunk("tool-input-delta"),
        chunk("dance"),
        chunk("dance"),
        finish,
      ),
    ).toEqual(["2 missing-field", "3 missing-field", "4 unknown-type?"]);
  });
});
