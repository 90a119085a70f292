/** Stage callbacks: what each stage carries, and their order. */
import { describe, expect, test } from "vitest";
import { checkStream } from "../checker.js";

const check = (...lines: readonly object[]): readonly string[] =>
  checkStream(lines.map((line) => JSON.stringify(line)).join("\n")).findings.map(
    ({ line, rule, callId, severity }) =>
      [line, severity === "suspicion" ? `${rule}?` : rule, callId].join(" ").trim(),
  );

const stage = (name: string, fields: object = {}) => ({
  stage: name,
  id: "c1",
  name: "shell",
  parameters: "",
  ...fields,
});
const start = stage("start");
const running = stage("running");
const ok = stage("end", { success: true, result: "" });
const failed = stage("end", { success: false, error: "denied" });

describe("healthy", () => {
  test("parameters, execution, live result, end", () => {
    expect(
      check(
        start,
        stage("streaming", { parametersChunk: "{", parameters: "{" }),
        stage("streaming", { parametersChunk: "}", parameters: "{}" }),
        running,
        stage("running", { shortResult: "…" }),
        stage("streaming", { result: "a" }),
        ok,
      ),
    ).toEqual([]);
  });
  test("wrapped callbacks, with others between them", () => {
    expect(
      check(
        { callback: "onAssistantMessageAdded" },
        { callback: "onToolBlockUpdated", params: start },
        { callback: "onAssistantContentUpdated", chunk: "a", accumulated: "a" },
        { callback: "onToolBlockUpdated", params: failed },
      ),
    ).toEqual([]);
  });
  test("parallel calls do not disturb one another", () => {
    const other = { id: "c2" };
    expect(check(start, { ...start, ...other }, running, { ...ok, ...other }, ok)).toEqual([]);
  });
  test("parameters that accumulate are the contract", () => {
    const lines = Array.from({ length: 2_000 }, (_, index) =>
      stage("streaming", { parametersChunk: "xy", parameters: "xy".repeat(index + 1) }),
    );
    expect(check(start, ...lines, ok)).toEqual([]);
  });
  test("a result in pieces is no resending", () => {
    const lines = Array.from({ length: 2_000 }, (_, index) =>
      stage("streaming", { result: `piece ${index} ${"x".repeat(100)}` }),
    );
    expect(check(start, ...lines, ok)).toEqual([]);
  });
});

describe("broken", () => {
  test("parameters after execution started", () => {
    const late = stage("streaming", { parametersChunk: "x", parameters: "x" });
    expect(check(start, running, late, ok)).toEqual(["3 stage-regression c1"]);
  });
  test("no start, no end", () => {
    expect(check(running, ok)).toEqual(["1 update-before-open c1"]);
    expect(check(start, running)).toEqual(["2 open-at-stream-end c1"]);
  });
  test("an end must say how", () => {
    const ends = [
      stage("end"),
      stage("end", { success: true }),
      stage("end", { success: false, result: "a" }),
      stage("end", { result: "a" }),
    ];
    for (const end of ends) expect(check(start, end)).toEqual(["2 end-without-outcome c1"]);
    const both = stage("end", { success: true, result: "a", error: "b" });
    expect(check(start, both)).toEqual(["2 contradictory-outcome c1"]);
  });
  test("an event without its id, name, parameters or stage", () => {
    expect(check(start, { stage: "running" }, { id: "c1", isRunning: true }, ok)).toEqual([
      "2 missing-field",
      "2 missing-field",
      "2 missing-field",
      "3 missing-field c1",
      "3 forbidden-field c1",
    ]);
    expect(check(start, stage("paused"), ok)).toEqual(["2 unknown-type? c1"]);
  });
  test("the whole result again for every line", () => {
    const lines = Array.from({ length: 100 }, (_, index) =>
      stage("running", { result: "x".repeat(50 * (index + 1)) }),
    );
    expect(check(start, ...lines, ok)).toEqual(["102 resent-content c1"]);
  });
});
