/** The lines of the HTTP stream, exactly as they are sent. */
import { createLife, type Life, lifeNamed } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { project } from "./shared/projection.js";
import { createToolEventProjection, type ToolEventOptions } from "./toolEvent.js";

const linesOf = (name: string, options: ToolEventOptions = {}): readonly object[] =>
  project(createToolEventProjection(options), lifeNamed(name)?.log ?? []);

const source = "import { createServer } from './server.js';\n\ncreateServer().listen(8080);\n";
const call = { call_id: "call_a1_2", tool_name: "Read" };
const old = { id: "call_a1_2", tool_name: "Read" };
const output = { result: source, duration_ms: 1_200, waited_ms: 0 };

const said = {
  connected: {
    event: "status_update",
    data: {
      status: "connected",
      metadata: { run_id: "run_read-file", conversation_id: "conv_1", model: "rehearsal" },
    },
    seq: 1,
  },
  look: { event: "chunk", data: "I'll look at the file.", seq: 7 },
  answer: [
    { event: "chunk", data: "It starts the server on ", seq: 18 },
    { event: "chunk", data: "port 8080.", seq: 19 },
    {
      event: "data",
      data: {
        status: "complete",
        output: "It starts the server on port 8080.",
        usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 },
        metadata: { tool_calls: 1, duration_ms: 2_130 },
      },
      seq: 22,
    },
    { event: "end", data: true, seq: 22 },
  ],
};

function toolEvent(seq: number, event: string, timestamp: number, data: object, message = "Read") {
  const show_spinner = event !== "tool_completed";
  return {
    event: "tool_event",
    data: { event, ...call, timestamp, message, show_spinner, data },
    seq,
  };
}

const v2 = {
  started: toolEvent(9, "tool_started", 1_767_603_600.46, { kind: "read" }, "Read"),
  deltas: [
    toolEvent(10, "tool_progress", 1_767_603_600.48, {
      arguments_delta: '{"file_path"',
      offset: 0,
    }),
    toolEvent(11, "tool_progress", 1_767_603_600.5, {
      arguments_delta: ':"src/app.ts',
      offset: 12,
    }),
    toolEvent(12, "tool_progress", 1_767_603_600.52, { arguments_delta: '"}', offset: 24 }),
  ],
  running: toolEvent(
    15,
    "tool_progress",
    1_767_603_600.52,
    { arguments: { file_path: "src/app.ts" } },
    "Read",
  ),
  completed: toolEvent(16, "tool_completed", 1_767_603_601.72, output, "3 lines"),
};

const legacy = {
  started: {
    event: "tool_update",
    data: { ...old, type: "user_visible_message", user_visible_message: "Read" },
    seq: 9,
  },
  input: {
    event: "tool_update",
    data: { ...old, type: "mcp_input", mcp_input: { file_path: "src/app.ts" } },
    seq: 15,
  },
  output: {
    event: "tool_update",
    data: { ...old, type: "mcp_output", mcp_output: output },
    seq: 16,
  },
};

describe("one call in the stream", () => {
  const { connected, look, answer } = said;

  it("is V2 unless something else is asked for", () => {
    const lines = [connected, look, v2.started, v2.running, v2.completed, ...answer];
    expect(linesOf("read-file")).toStrictEqual(lines);
    expect(linesOf("read-file", { toolEvents: "v2", streamArguments: false })).toStrictEqual(lines);
  });

  it("streams its arguments on request", () => {
    expect(linesOf("read-file", { streamArguments: true })).toStrictEqual([
      connected,
      look,
      v2.started,
      ...v2.deltas,
      v2.running,
      v2.completed,
      ...answer,
    ]);
  });

  it.each([true, false])("is legacy for old pages, streamArguments %s", (streamArguments) => {
    expect(linesOf("read-file", { toolEvents: "legacy", streamArguments })).toStrictEqual([
      connected,
      look,
      legacy.started,
      legacy.input,
      legacy.output,
      ...answer,
    ]);
  });

  it("is both during the transition", () => {
    expect(linesOf("read-file", { toolEvents: "both", streamArguments: true })).toStrictEqual([
      connected,
      look,
      legacy.started,
      v2.started,
      ...v2.deltas,
      legacy.input,
      v2.running,
      legacy.output,
      v2.completed,
      ...answer,
    ]);
  });
});

/** The call's lines without what every one of them repeats. */
function outlineOf(name: string): readonly (readonly unknown[])[] {
  return project(createToolEventProjection(), lifeNamed(name)?.log ?? []).flatMap((line) =>
    line.event === "tool_event" ? [[line.data.event, line.data.message, line.data.data]] : [],
  );
}

describe("the moments of a call", () => {
  it("are all told, each under its name", () => {
    const locations = [{ path: "src/app.ts", line: 3 }, { path: "src/db.ts" }];
    const result = "412 files\n9,120 symbols\n";
    expect(outlineOf("progress-of-every-kind")).toStrictEqual([
      ["tool_started", "Mcp Index Build", {}],
      ["tool_progress", "Mcp Index Build", { arguments: { root: "." } }],
      ["tool_progress", "Index .", { title: "Index ." }],
      ["tool_progress", "reading files", { percent: 10 }],
      ["tool_step", "parse", { step: "parse", files: 412 }],
      ["tool_progress", "parse", { locations }],
      ["tool_result_preview", "parse", { preview: "412 files\n", offset: 0 }],
      ["tool_result_preview", "parse", { preview: "412 files, 9,120 symbols" }],
      ["tool_progress", "Still running, silent for 5 s", { heartbeat: true, silent_ms: 5_000 }],
      ["tool_progress", "writing", { percent: 95.5 }],
      ["tool_step", "write", { step: "write" }],
      ["tool_completed", "Mcp Index Build", { result, duration_ms: 4_500, waited_ms: 0 }],
    ]);
  });

  it("show the question and the answer of an approval", () => {
    const options = [
      { option_id: "once", name: "Allow once", kind: "allow_once" },
      { option_id: "no", name: "Reject", kind: "reject_once" },
    ];
    const approval_id = "ask_call_a1_1_1";
    const end = { error_type: "denied", outcome: "denied", duration_ms: 0, waited_ms: 1_800 };
    expect(outlineOf("denial")).toStrictEqual([
      ["tool_started", "Bash", { kind: "execute" }],
      ["tool_progress", "it deletes your home folder", { approval: { approval_id, options } }],
      [
        "tool_progress",
        "not my home folder",
        { approval_answer: { approval_id, allowed: false, answered_by: "user" } },
      ],
      ["tool_error", "not my home folder", end],
    ]);
  });

  it("name the category of an error and keep the output", () => {
    const printed = "cc main.c\nmain.c:3: error\n";
    expect(outlineOf("tool-error").at(-1)).toStrictEqual([
      "tool_error",
      "exit code 2",
      {
        error_type: "exit_code",
        outcome: "error",
        output: printed,
        duration_ms: 1_000,
        waited_ms: 0,
        exit_code: 2,
      },
    ]);
  });

  it("name the call that a nested one works for", () => {
    expect(outlineOf("nested-agent").filter(([word]) => word === "tool_started")).toStrictEqual([
      ["tool_started", "Agent", {}],
      ["tool_started", "Grep", { parent_call_id: "call_a1_1", kind: "search" }],
    ]);
  });
});

describe("the rest of the stream", () => {
  it("passes on status and data, and says no word of a nested agent", () => {
    expect(linesOf("status-and-data").slice(1, 6)).toStrictEqual([
      {
        event: "status_update",
        data: {
          status: "preparing",
          user_visible_message: "Getting ready",
          metadata: { phase: 1 },
        },
        seq: 6,
      },
      { event: "chunk", data: "Rehearsal at ten, stage ", seq: 8 },
      { event: "chunk", data: "left.", seq: 9 },
      {
        event: "data",
        data: { kind: "plan", items: [{ at: "10:00", where: "stage left" }], final: true },
        seq: 10,
      },
      {
        event: "status_update",
        data: { status: "done", system_message: "plan of 1 item" },
        seq: 13,
      },
    ]);
    expect(JSON.stringify(linesOf("nested-agent"))).not.toContain("Searching.");
  });

  it("ends with a complete payload: status, output, usage, metadata", () => {
    expect(linesOf("cost-and-usage").at(-2)).toStrictEqual({
      event: "data",
      data: {
        status: "complete",
        output: "One release so far: 0.1.0.",
        usage: {
          input_tokens: 2_810,
          output_tokens: 84,
          total_tokens: 2_894,
          cached_tokens: 1_024,
          cost_usd: 0.0042 + 0.0008 + 0.005,
        },
        metadata: { tool_calls: 1, duration_ms: 1_050 },
      },
      seq: 22,
    });
  });

  it("tells an error once, where it happened, with all that is known of it", () => {
    const errors = linesOf("provider-error-in-text").filter(
      (line) => "event" in line && line.event === "error",
    );
    expect(errors).toStrictEqual([
      {
        event: "error",
        data: {
          type: "provider_error",
          message: "529 overloaded",
          user_visible_message: "The model is overloaded. Try again in a minute.",
          code: "529",
          details: { requestId: "req_1", retryable: true },
        },
        seq: 9,
      },
    ]);
  });

  it("tells a text once when only its closing is in the log", () => {
    const life: Life = createLife("whole", "One text.", ({ model, run }) => {
      model.begins();
      model.says("The whole text, longer than one delta.");
      model.ends();
      run.ends();
    });
    const whole = life.log.filter(({ type }) => type !== "text.delta");
    const chunks = project(createToolEventProjection(), whole).filter(
      ({ event }) => event === "chunk",
    );
    expect(chunks.map(({ data }) => data)).toEqual(["The whole text, longer than one delta."]);
  });
});
