/** `/execute` streams: tool events, their legacy form, numbering and ends. */
import { describe, expect, test } from "vitest";
import { checkStream } from "../checker.js";

const checkText = (text: string): readonly string[] =>
  checkStream(text).findings.map(({ line, rule, callId, severity }) =>
    [line, severity === "suspicion" ? `${rule}?` : rule, callId].join(" ").trim(),
  );
const check = (...lines: readonly object[]): readonly string[] =>
  checkText(lines.map((line) => JSON.stringify(line)).join("\n"));

const event = (name: string, data: object = {}, fields: object = {}) => ({
  event: "tool_event",
  data: {
    event: name,
    call_id: "c1",
    tool_name: "web",
    timestamp: 1,
    message: "",
    data,
    ...fields,
  },
});
const legacy = (type: string, fields: object = {}) => ({
  event: "tool_update",
  data: { id: "c1", type, tool_name: "web", ...fields },
});
const started = event("tool_started");
const completed = event("tool_completed", { result: "done" }, { show_spinner: false });
const failed = event("tool_error", { error_type: "timeout" }, { show_spinner: false });
const end = { event: "end", data: true };

describe("healthy", () => {
  test("the whole lifecycle, numbered", () => {
    const lines = [
      { event: "status_update", data: { status: "connected" } },
      { event: "chunk", data: "Let me look." },
      started,
      event("tool_progress", { arguments_delta: "{", offset: 0 }),
      event("tool_progress", { arguments_delta: "}", offset: 1 }),
      event("tool_progress", { approval: { approval_id: "a1" } }),
      event("tool_progress", { approval_answer: { approval_id: "a1", allowed: true } }),
      event("tool_progress", { arguments: {} }),
      event("tool_step", { step: "fetch" }),
      event("tool_result_preview", { preview: "do" }),
      completed,
      { event: "data", data: { status: "complete" } },
      end,
    ];
    expect(check(...lines.map((line, index) => ({ ...line, seq: 2 * index + 7 })))).toEqual([]);
  });
  test("different lines that tell the same event share its number", () => {
    expect(
      check(
        { ...legacy("mcp_input"), seq: 1 },
        { ...started, seq: 1 },
        { ...failed, seq: 3 },
        { event: "error", data: { type: "timeout" }, seq: 4 },
        { event: "data", data: {}, seq: 4 },
        { ...end, seq: 4 },
      ),
    ).toEqual([]);
  });
  test("as server-sent events with the name and number outside", () => {
    const text = [started, failed, end]
      .map(
        ({ event: name, data }, index) =>
          `id: ${index}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`,
      )
      .join("");
    expect(checkText(text)).toEqual([]);
  });
  test("the legacy form alone", () => {
    expect(
      check(
        legacy("user_visible_message"),
        legacy("mcp_input"),
        legacy("step_data"),
        legacy("mcp_output"),
        end,
      ),
    ).toEqual([]);
    expect(check(legacy("mcp_input"), legacy("mcp_error"), end)).toEqual([]);
  });
  test("both forms of the same call, either first, count once", () => {
    const report = checkStream(
      [
        legacy("user_visible_message"),
        started,
        legacy("mcp_input"),
        completed,
        legacy("mcp_output"),
        end,
      ]
        .map((line) => JSON.stringify(line))
        .join("\n"),
    );
    expect(report).toEqual({ dialect: "toolEvent", lines: 6, calls: 1, findings: [] });
  });
});

describe("broken", () => {
  test("progress first, started in the middle, everything after the end of the call", () => {
    expect(
      check(
        event("tool_progress"),
        started,
        completed,
        event("tool_step", { step: "a" }),
        failed,
        end,
      ),
    ).toEqual([
      "1 update-before-open c1",
      "2 opened-twice c1",
      "4 update-after-close c1",
      "5 closed-twice c1",
    ]);
  });
  test("arguments after execution started", () => {
    const delta = event("tool_progress", { arguments_delta: "x" });
    expect(
      check(started, event("tool_progress", { arguments: {} }), delta, completed, end),
    ).toEqual(["3 stage-regression c1"]);
  });
  test("execution before the approval was answered, and after it was denied", () => {
    const asked = event("tool_progress", { approval: { approval_id: "a1" } });
    const denied = event("tool_progress", { approval_answer: { allowed: false } });
    const began = event("tool_progress", { arguments: {} });
    expect(check(started, asked, began, completed, end)).toEqual(["3 run-without-approval c1"]);
    expect(check(started, asked, denied, completed, end)).toEqual(["4 run-after-denial c1"]);
  });
  test("holes and repetitions in the arguments", () => {
    const delta = (offset: number) => event("tool_progress", { arguments_delta: "ab", offset });
    expect(check(started, delta(0), delta(4), delta(4), completed, end)).toEqual([
      "3 delta-hole c1",
      "4 delta-overlap? c1",
    ]);
  });
  test("a completed call with an error type", () => {
    expect(check(started, event("tool_completed", { error_type: "timeout" }), end)).toEqual([
      "2 contradictory-outcome c1",
    ]);
  });
  test("a completed call in a cancelled run, unless the model continued", () => {
    const cancelled = { event: "error", data: { type: "cancelled", message: "stopped" } };
    expect(check(started, completed, cancelled, end)).toEqual([
      "4 completed-in-cancelled-turn? c1",
    ]);
    expect(check(started, completed, { event: "chunk", data: "So" }, cancelled, end)).toEqual([]);
  });
  test("an open call at the end, and no end", () => {
    expect(check(started, end)).toEqual(["2 open-at-turn-end c1"]);
    expect(check(started)).toEqual(["1 missing-end", "1 open-at-stream-end c1"]);
  });
  test("fields that a tool event needs", () => {
    const bare = { event: "tool_event", data: { event: "tool_error" } };
    expect(check(bare, event("tool_step"), event("tool_dance"), completed, end)).toEqual([
      "1 missing-field",
      "1 missing-field",
      "1 missing-field",
      "1 missing-field",
      "2 missing-field c1",
      "2 update-before-open c1",
      "3 unknown-type? c1",
    ]);
  });
  test("the legacy form: output without input, output twice", () => {
    expect(check(legacy("mcp_output"), legacy("mcp_output"), end)).toEqual([
      "1 update-before-open c1",
      "2 closed-twice c1",
    ]);
  });
  test("an unknown event is named once", () => {
    expect(
      check(
        { event: "heartbeat", data: {} },
        started,
        { event: "heartbeat", data: {} },
        completed,
        end,
      ),
    ).toEqual(["1 unknown-type?"]);
  });
});
