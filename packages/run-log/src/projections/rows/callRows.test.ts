/** What the row of a call says of failures, waiting, nesting and size; and the request's totals. */

import { createLife, type Life, lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { conversationId, runId } from "../../log/ids.js";
import { createRecorder } from "../../log/recorder.js";
import { withoutUndefined } from "../../values/optional.js";
import { project } from "../shared/projection.js";
import { createToolEventProjection } from "../toolEvent.js";
import { createRowsProjection } from "./index.js";
import type { RowsOptions } from "./memory.js";
import type { CxToolCallRow } from "./rowTypes.js";

const rowId: RowsOptions["rowId"] = (table, key) => `${table}:${key}`;

const writesOf = (life: Life | undefined, options: Partial<RowsOptions> = {}) =>
  project(createRowsProjection({ rowId, ...options }), life?.log ?? []);

/** The columns of each call as its writes left them. */
function callsOf(
  life: Life | undefined,
  options: Partial<RowsOptions> = {},
): readonly Partial<CxToolCallRow>[] {
  const rows = new Map<string, Partial<CxToolCallRow>>();
  for (const write of writesOf(life, options)) {
    if (write.table !== "cx_tool_call") continue;
    const id = write.write === "insert" ? write.row.id : write.id;
    rows.set(id, { ...rows.get(id), ...(write.write === "insert" ? write.row : write.set) });
  }
  return [...rows.values()];
}

/** A life of one call that runs as `act` says. */
const oneCall = (act: Parameters<typeof createLife>[2]): Life =>
  createLife("one", "One call.", act);

describe("a call that failed", () => {
  it.each([
    ["tool-error", "exit_code", "exit code 2", "cc main.c\nmain.c:3: error\n", 1_000],
    ["tool-timeout", "timeout", "no answer within 30 s", "no answer within 30 s", 30_000],
    ["denial", "denied", "not my home folder", "not my home folder", 0],
    ["denial-while-running", "denied", "keep the table", "backup done\n", 200],
    ["abort-while-running", "cancelled", "stopped by the user", "listening on 8080\n", 3_900],
  ])("in %s keeps its output beside the error", (name, error_type, error_message, output, ms) => {
    expect(callsOf(lifeNamed(name))).toMatchObject([
      {
        status: "error",
        success: false,
        is_error: true,
        error_type,
        error_message,
        output,
        output_type: "text",
        duration_ms: ms,
      },
    ]);
  });

  it("for its arguments keeps them as text, with what is wrong", () => {
    const [row] = callsOf(lifeNamed("truncated-arguments"));
    expect(row).toMatchObject({ arguments: {}, started_at: null, error_type: "invalid_arguments" });
    expect(row?.metadata).toStrictEqual({
      arguments_text: '{"file_path":"long.txt","content":"once upon a ti',
      arguments_problem: "the answer was cut at its length limit",
    });
  });

  it("for its arguments keeps them also when its end says more", () => {
    const life = oneCall(({ model, tool, run }) => {
      model.begins();
      const call = model.opensCall("Read");
      model.closesInput(call, { text: "{", problem: "cut" });
      tool.fails(call, "bad arguments", { metadata: { hint: "use JSON" } });
      run.ends();
    });
    expect(callsOf(life)[0]?.metadata).toStrictEqual({
      arguments_text: "{",
      arguments_problem: "cut",
      hint: "use JSON",
    });
  });
});

describe("a call's row", () => {
  it("counts running without waiting", () => {
    const waits = ["approval-allowed", "approval-while-running"].map((name) =>
      callsOf(lifeNamed(name)).map(({ duration_ms }) => duration_ms),
    );
    expect(waits).toEqual([[60], [500]]);
  });

  it("has what the end says: usage, retries, type, places", () => {
    expect(callsOf(lifeNamed("cost-and-usage"))).toMatchObject([
      { input_tokens: 300, output_tokens: 20, total_tokens: 320, cost_usd: 0.0008 },
    ]);
    expect(callsOf(lifeNamed("tool-retry"))).toMatchObject([{ retry_count: 2 }]);
    expect(callsOf(lifeNamed("whole-call"))).toMatchObject([{ output_type: "json" }]);
    expect(callsOf(lifeNamed("long-output"))).toMatchObject([{ persist_key: "outputs/call_a1_1" }]);
    expect(callsOf(lifeNamed("edit-with-diff"))).toMatchObject([{ file_path: "src/app.ts" }]);
    expect(callsOf(lifeNamed("progress-of-every-kind"))).toMatchObject([
      { tool_type: "external_mcp", metadata: { index: "v3", took: [1, 2] } },
    ]);
    expect(callsOf(lifeNamed("turn-limit")).map(({ iteration }) => iteration)).toEqual([0, 1, 2]);
  });

  it("names the row of the call that it works for", () => {
    const rows = callsOf(lifeNamed("nested-agent"));
    expect(
      rows.map(({ id, tool_type, parent_call_id, message_id }) => [
        id,
        tool_type,
        parent_call_id,
        message_id,
      ]),
    ).toEqual([
      [
        "cx_tool_call:run_nested-agent/call_a1_1",
        "agent",
        null,
        "cx_message:run_nested-agent/call_a1_1",
      ],
      [
        "cx_tool_call:run_nested-agent/call_a2_3",
        "local",
        "cx_tool_call:run_nested-agent/call_a1_1",
        null,
      ],
    ]);
    const roles = writesOf(lifeNamed("nested-agent")).flatMap((write) =>
      write.table === "cx_message" && write.write === "insert" ? [write.row.role] : [],
    );
    expect(roles).toEqual(["user", "assistant", "tool", "assistant"]);
  });

  it("of a command of the person belongs to their own message", () => {
    expect(callsOf(lifeNamed("user-command"))).toMatchObject([
      {
        call_id: "call_u1",
        message_id: "cx_message:run_user-command/msg_u1",
        arguments: { command: "git push" },
        status: "error",
        output: "rejected\n",
      },
    ]);
    const messages = writesOf(lifeNamed("user-command")).flatMap((write) =>
      write.table === "cx_message" && write.write === "insert" ? [write.row] : [],
    );
    expect(messages).toMatchObject([{ role: "user", position: 0, content: [] }]);
  });

  it("of a tool that the person ran belongs to their own message too", () => {
    expect(callsOf(lifeNamed("user-tool"))).toMatchObject([
      { call_id: "call_u1", message_id: "cx_message:run_user-tool/msg_u1", status: "completed" },
    ]);
  });
});

describe("execution_events", () => {
  const noisy = oneCall(({ later, model, tool, run }) => {
    model.begins();
    const call = model.calls("Work", {});
    model.ends();
    tool.starts(call);
    for (let index = 1; index <= 10_000; index += 1) {
      later(1);
      tool.reports(call, { type: "message", message: `report ${index}` });
    }
    tool.ends(call, "done");
    run.ends();
  });

  it.each([undefined, 10, 500])("stay bounded over 10,000 reports (limit %s)", (limit) => {
    const options = withoutUndefined({ maxTimelineEvents: limit });
    const events = callsOf(noisy, options)[0]?.execution_events ?? [];
    expect(events).toHaveLength((limit ?? 100) + 1);
    expect(events[0]?.event).toBe("tool_started");
    expect(events.at(-1)?.event).toBe("tool_completed");
    const omitted = 10_003 - (limit ?? 100);
    expect(events.filter(({ data }) => "omitted" in data)).toMatchObject([
      { event: "tool_progress", message: `${omitted} events left out`, data: { omitted } },
    ]);
  });

  it("are written at milestones, not for each report", () => {
    expect(writesOf(noisy).filter(({ table }) => table === "cx_tool_call")).toHaveLength(5);
  });

  it.each(["read-file", "denial", "tool-retry", "approval-while-running", "user-command"])(
    "of %s are the payloads that were streamed",
    (name) => {
      const life = lifeNamed(name);
      const streamed = project(createToolEventProjection(), life?.log ?? []).flatMap((line) =>
        line.event === "tool_event" && !("offset" in line.data.data) ? [line.data] : [],
      );
      expect(callsOf(life)[0]?.execution_events).toStrictEqual(streamed);
    },
  );

  it("hold little of a big output, and the output column its head and tail", () => {
    const output = `${"head\n".repeat(100_000)}${"tail\n".repeat(100_000)}`;
    const life = oneCall(({ model, tool, run }) => {
      model.begins();
      const call = model.calls("Cat", {});
      model.ends();
      tool.starts(call);
      tool.ends(call, output);
      run.ends();
    });
    const [row] = callsOf(life);
    expect(row?.output).toBe(
      `${"head\n".repeat(10_000)}\n… 900000 characters left out …\n${"tail\n".repeat(10_000)}`,
    );
    expect(JSON.stringify(row?.execution_events).length).toBeLessThan(4_000);
    const [small] = callsOf(life, { maxOutputChars: 20 });
    expect(small?.output).toBe("head\nhead\n\n… 999980 characters left out …\ntail\ntail\n");
  });
});

describe("cx_user_request", () => {
  const lastOf = (name: string) => writesOf(lifeNamed(name)).at(-1);

  it("adds up what the run took", () => {
    expect(lastOf("cost-and-usage")).toStrictEqual({
      table: "cx_user_request",
      write: "update",
      id: "cx_user_request:run_cost-and-usage",
      set: {
        status: "completed",
        iterations: 2,
        total_input_tokens: 2_810,
        total_output_tokens: 84,
        total_cached_tokens: 1_024,
        total_tokens: 2_894,
        total_cost: 0.0042 + 0.0008 + 0.005,
        total_tool_calls: 1,
        total_duration_ms: 1_050,
        tool_duration_ms: 90,
        trigger_message_position: 0,
        result_start_position: 1,
        result_end_position: 3,
        finish_reason: "ok",
        error: null,
        completed_at: "2026-01-05T09:00:01.050Z",
        metadata: { model: "rehearsal", first_token_ms: 440 },
      },
    });
  });

  it.each([
    ["read-file", "completed", null],
    ["abort-in-text", "cancelled", "stopped by the user"],
    ["provider-error-in-text", "failed", "529 overloaded"],
    ["run-timeout", "failed", "the run took longer than 10 minutes"],
    ["turn-limit", "failed", "3 turns"],
  ])("of %s is %s", (name, status, error) => {
    expect(lastOf(name)).toMatchObject({ set: { status, error } });
  });

  it("starts pending, for its user", () => {
    const recorder = createRecorder(() => 0);
    const decision = recorder.propose({
      type: "startRun",
      runId: runId("r"),
      conversationId: conversationId("c"),
      model: "rehearsal",
      userId: "user_1",
    });
    const log = decision.status === "refused" ? [] : decision.events;
    const row = { status: "pending", user_id: "user_1", deleted_at: null };
    expect(project(createRowsProjection({ rowId }), log)).toMatchObject([
      { table: "cx_user_request", write: "insert", row },
    ]);
  });
});
