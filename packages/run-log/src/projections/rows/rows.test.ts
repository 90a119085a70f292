/** The rows of the database: how messages and calls join, and what a call's row says of its life. */
import { createLife, type Life, lifeNamed, lives } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../../log/events/index.js";
import { project } from "../shared/projection.js";
import { createRowsProjection } from "./index.js";
import type { RowsOptions } from "./memory.js";
import type { CxMessageRow, CxToolCallRow, CxUserRequestRow, RowWrite } from "./rowTypes.js";

const rowId: RowsOptions["rowId"] = (table, key) => `${table}:${key}`;

const writesOf = (
  log: readonly RunEvent[] = [],
  options: Partial<RowsOptions> = {},
): readonly RowWrite[] => project(createRowsProjection({ rowId, ...options }), log);

interface Tables {
  readonly messages: ReadonlyMap<string, CxMessageRow>;
  readonly calls: ReadonlyMap<string, CxToolCallRow>;
  readonly requests: ReadonlyMap<string, CxUserRequestRow>;
}

/** The tables after the writes; an update of a row that is not there fails the test. */
function tablesOf(writes: readonly RowWrite[]): Tables {
  const messages = new Map<string, CxMessageRow>();
  const calls = new Map<string, CxToolCallRow>();
  const requests = new Map<string, CxUserRequestRow>();
  function put<Row extends { id: string }>(
    table: Map<string, Row>,
    write:
      | { write: "insert"; row: NoInfer<Row> }
      | { write: "update"; id: string; set: Partial<NoInfer<Row>> },
  ): void {
    const before = table.get(write.write === "insert" ? write.row.id : write.id);
    if (write.write === "insert") {
      expect(before).toBeUndefined();
      table.set(write.row.id, write.row);
      return;
    }
    if (!before) throw new Error(`there is no row ${write.id}`);
    table.set(write.id, { ...before, ...write.set });
  }
  for (const write of writes) {
    if (write.table === "cx_message") put(messages, write);
    else if (write.table === "cx_tool_call") put(calls, write);
    else put(requests, write);
  }
  return { messages, calls, requests };
}

const tablesNamed = (name: string, options: Partial<RowsOptions> = {}): Tables =>
  tablesOf(writesOf(lifeNamed(name)?.log, options));

const callNamed = (name: string, callId = "call_a1_1"): CxToolCallRow | undefined =>
  [...tablesNamed(name).calls.values()].find((row) => row.call_id === callId);

const at = (milliseconds: number): string =>
  new Date(Date.UTC(2026, 0, 5, 9) + milliseconds).toISOString();

describe("a cycle of one call", () => {
  const { messages, calls } = tablesNamed("read-file");
  const message = {
    conversation_id: "cx_conversation:conv_1",
    status: "active",
    deleted_at: null,
  };
  const run_id = "run_read-file";

  it("is four messages from position 0, the tool's one empty", () => {
    const part = { type: "tool_call", id: "call_a1_2", name: "Read" };
    const input = { file_path: "src/app.ts" };
    expect([...messages.values()]).toStrictEqual([
      {
        ...message,
        id: "cx_message:run_read-file/msg_u1",
        metadata: { run_id, message_id: "msg_u1" },
        role: "user",
        position: 0,
        content: [{ type: "text", text: "What does src/app.ts do?" }],
        created_at: at(0),
      },
      {
        ...message,
        id: "cx_message:msg_a1",
        metadata: { run_id, message_id: "msg_a1" },
        role: "assistant",
        position: 1,
        content: [
          { type: "text", text: "I'll look at the file." },
          { ...part, arguments: input },
        ],
        created_at: at(420),
      },
      {
        ...message,
        id: "cx_message:run_read-file/call_a1_2",
        metadata: { run_id },
        role: "tool",
        position: 2,
        content: [],
        created_at: at(520),
      },
      {
        ...message,
        id: "cx_message:msg_a2",
        metadata: { run_id, message_id: "msg_a2" },
        role: "assistant",
        position: 3,
        content: [{ type: "text", text: "It starts the server on port 8080." }],
        created_at: at(2_090),
      },
    ]);
  });

  it("is one row of the call, whole", () => {
    const said = { call_id: "call_a1_2", tool_name: "Read" };
    const output = "import { createServer } from './server.js';\n\ncreateServer().listen(8080);\n";
    expect([...calls.values()]).toStrictEqual([
      {
        id: "cx_tool_call:run_read-file/call_a1_2",
        conversation_id: "cx_conversation:conv_1",
        message_id: "cx_message:run_read-file/call_a1_2",
        user_id: null,
        request_id: "cx_user_request:run_read-file",
        tool_name: "Read",
        tool_type: "local",
        call_id: "call_a1_2",
        status: "completed",
        arguments: { file_path: "src/app.ts" },
        amended_arguments: null,
        success: true,
        output,
        output_type: "text",
        is_error: false,
        error_type: null,
        error_message: null,
        duration_ms: 1_200,
        started_at: at(520),
        completed_at: at(1_720),
        input_tokens: null,
        output_tokens: null,
        total_tokens: null,
        cost_usd: null,
        iteration: 0,
        retry_count: 0,
        execution_events: [
          {
            event: "tool_started",
            ...said,
            timestamp: 1_767_603_600.46,
            message: "Read",
            show_spinner: true,
            data: { kind: "read" },
          },
          {
            event: "tool_progress",
            ...said,
            timestamp: 1_767_603_600.52,
            message: "Read",
            show_spinner: true,
            data: { arguments: { file_path: "src/app.ts" } },
          },
          {
            event: "tool_completed",
            ...said,
            timestamp: 1_767_603_601.72,
            message: "3 lines",
            show_spinner: false,
            data: { result: output, duration_ms: 1_200, waited_ms: 0 },
          },
        ],
        parent_call_id: null,
        persist_key: null,
        file_path: null,
        metadata: {},
        created_at: at(460),
        deleted_at: null,
      },
    ]);
  });

  it("goes from pending over running to its end", () => {
    const statuses = (name: string) =>
      writesOf(lifeNamed(name)?.log).flatMap((write) => {
        if (write.table !== "cx_tool_call") return [];
        const { status } = write.write === "insert" ? write.row : write.set;
        return status === undefined ? [] : [status];
      });
    expect(statuses("read-file")).toEqual(["pending", "running", "completed"]);
    expect(statuses("tool-error")).toEqual(["pending", "running", "error"]);
    expect(statuses("denial")).toEqual(["pending", "error"]);
    expect(statuses("abort-in-arguments")).toEqual(["pending", "error"]);
  });
});

const columns =
  "id conversation_id message_id user_id request_id tool_name tool_type call_id status arguments " +
  "amended_arguments success output output_type is_error error_type error_message duration_ms started_at " +
  "completed_at input_tokens output_tokens total_tokens cost_usd iteration retry_count " +
  "execution_events parent_call_id persist_key file_path metadata created_at deleted_at";

it("a new call's row has every column of cx_tool_call", () => {
  const [insert] = writesOf(lifeNamed("read-file")?.log).filter(
    ({ table, write }) => table === "cx_tool_call" && write === "insert",
  );
  const names = insert?.write === "insert" ? Object.keys(insert.row) : [];
  expect(names).toEqual(columns.split(" "));
});

describe.each(lives)("the rows of $name", (life: Life) => {
  const { messages, calls } = tablesOf(writesOf(life.log));
  const rows = [...messages.values()];

  it("have positions without gaps, and are all complete", () => {
    const positions = rows.map(({ position }) => position).toSorted((a, b) => a - b);
    expect(positions).toEqual(rows.map((_, index) => index));
    expect(rows.filter(({ status }) => status !== "active")).toEqual([]);
    const ended = ["completed", "error"];
    expect([...calls.values()].filter(({ status }) => !ended.includes(status))).toEqual([]);
  });

  it("join: each call with its part by id, and with its tool row by message_id", () => {
    const opened = life.log.filter((event) => event.type === "call.opened");
    expect([...calls.values()].map(({ call_id }) => call_id)).toEqual(
      opened.map(({ callId }) => callId),
    );
    const models = opened.filter(
      ({ openedBy, parentCallId }) => openedBy !== "user" && parentCallId === undefined,
    );
    const parts = rows.flatMap(({ content }) =>
      content.flatMap((part) => (part.type === "tool_call" ? [part.id] : [])),
    );
    expect(new Set(parts)).toEqual(new Set(models.map(({ callId }) => callId)));
    expect(parts).toHaveLength(models.length);
    const tools = rows.filter(({ role }) => role === "tool");
    expect(tools).toHaveLength(models.length);
    for (const { callId } of models) {
      const call = [...calls.values()].find((row) => row.call_id === callId);
      const row = messages.get(call?.message_id ?? "");
      expect(row).toMatchObject({ role: "tool", content: [] });
    }
  });

  it("are the same for the same keys, also with a log that repeats itself", () => {
    const twice = life.log.flatMap((event) => [event, event]);
    expect(writesOf(twice)).toStrictEqual(writesOf(life.log));
  });
});

describe("parallel calls", () => {
  const { messages, calls } = tablesNamed("parallel-calls");

  it("have a tool row each, in the order of the calls", () => {
    const order = [...calls.values()].map(({ call_id, message_id }) => [
      call_id,
      messages.get(message_id ?? "")?.position,
    ]);
    expect(order).toEqual([
      ["call_a1_1", 2],
      ["call_a1_2", 3],
      ["call_a1_3", 4],
    ]);
    expect([...messages.values()].map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "tool",
      "tool",
      "assistant",
    ]);
  });
});

it("positions continue where the conversation stands", () => {
  const { messages, requests } = tablesNamed("read-file", { firstPosition: 40 });
  expect([...messages.values()].map(({ position }) => position)).toEqual([40, 41, 42, 43]);
  expect([...requests.values()]).toMatchObject([
    { trigger_message_position: 40, result_start_position: 41, result_end_position: 43 },
  ]);
});

it("the row of a request says how long the first of its first answer took, from when the model was asked", () => {
  const metadataOf = (name: string) =>
    [...tablesNamed(name).requests.values()].map(({ metadata }) => metadata);
  const model = "rehearsal";
  expect(metadataOf("read-file")).toEqual([{ model, first_token_ms: 420 }]);
  expect(metadataOf("nested-agent")).toEqual([{ model, first_token_ms: 320 }]);
  expect(metadataOf("provider-retry")).toEqual([{ model, first_token_ms: 2_520 }]);
  // The model is asked once the context is shorter.
  expect(metadataOf("compacted")).toEqual([{ model, first_token_ms: 20 }]);
  expect(metadataOf("user-tool")).toEqual([{ model }]);
});

it("two runs of one conversation never share a call's row", () => {
  const tell = (name: string) =>
    createLife(name, "A provider that counts its calls from 0.", ({ model, run }) => {
      model.begins();
      model.closesInput(model.opensCall("Now"));
      run.ends();
    });
  const ids = ["one", "two"].map((name) => [...tablesOf(writesOf(tell(name).log)).calls.keys()]);
  expect(ids).toEqual([["cx_tool_call:run_one/call_a1_1"], ["cx_tool_call:run_two/call_a1_1"]]);
});

it("the rows of a denied call say why", () => {
  expect(callNamed("denial")).toMatchObject({ is_error: true, error_type: "denied" });
});
