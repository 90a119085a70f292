/** ACP lives of v1 and v2 as they should be, and what v2 alone can get wrong. */
import { describe, expect, test } from "vitest";
import {
  answered,
  asked,
  check,
  created,
  opened,
  prompted,
  rpc,
  spoken,
  text,
  update,
  updated,
  v1,
  v2,
} from "../testing/acpLines.js";

const chosen = (optionId: string) =>
  rpc({ id: 0, result: { outcome: { outcome: "selected", optionId } } });
const state = (fields: object) => update({ sessionUpdate: "state_update", ...fields });

describe("healthy v1", () => {
  const life = [
    opened,
    updated({ rawInput: { command: "ls" }, title: "ls -l" }),
    asked({ status: "pending" }),
    updated({ status: "in_progress" }),
    updated({ _meta: { terminal_output_delta: { data: "a\n" } } }),
    updated({
      status: "completed",
      content: [text("a")],
      _meta: { terminal_exit: { exit_code: 0, signal: null } },
    }),
    spoken("done"),
  ];

  test("the agent's side alone", () => {
    expect(
      check(
        v1,
        rpc({ method: "_auth/status_update", params: {} }),
        created,
        ...life,
        answered("end_turn"),
      ),
    ).toEqual([]);
  });
  test("recorded with times", () => {
    const recorded = [v1, created, ...life, answered("end_turn")].map((m, t) => ({ t, m }));
    expect(check(...recorded)).toEqual([]);
  });
  test("both sides, approved", () => {
    const [open, input, ask, ...rest] = life;
    expect(
      check(
        prompted,
        open ?? {},
        input ?? {},
        ask ?? {},
        chosen("yes"),
        ...rest,
        answered("end_turn"),
      ),
    ).toEqual([]);
  });
  test("both sides, denied and failed", () => {
    expect(
      check(
        prompted,
        opened,
        asked(),
        chosen("no"),
        updated({ status: "failed" }),
        answered("end_turn"),
      ),
    ).toEqual([]);
  });
  test("a command that the person refused before the agent opened it", () => {
    const question = asked({ title: "ls", status: "pending" });
    expect(check(prompted, question, chosen("no"), answered("end_turn"))).toEqual([
      "2 update-before-open? c1",
    ]);
  });
  test("an opening after the question about it", () => {
    const question = asked({ title: "ls" });
    const ended = updated({ status: "completed" });
    expect(check(prompted, question, chosen("yes"), opened, ended, answered("end_turn"))).toEqual([
      "2 update-before-open? c1",
    ]);
  });
  test("a second turn after the first, with its own call", () => {
    const second = update({ sessionUpdate: "tool_call", toolCallId: "c2", title: "ls" });
    const closed = update({
      sessionUpdate: "tool_call_update",
      toolCallId: "c2",
      status: "failed",
    });
    expect(check(...life, answered("end_turn"), second, closed, answered("end_turn", 3))).toEqual(
      [],
    );
  });
  test("a command that exits with an error code has still completed", () => {
    expect(
      check(opened, updated({ status: "completed", rawOutput: { metadata: { exit: 1 } } })),
    ).toEqual([]);
  });
  test("a command that was closed by the cancellation explains the completed one beside it", () => {
    const other = update({ sessionUpdate: "tool_call", toolCallId: "c2", title: "sleep" });
    const failed = update({
      sessionUpdate: "tool_call_update",
      toolCallId: "c2",
      status: "failed",
    });
    expect(
      check(opened, other, updated({ status: "completed" }), failed, answered("cancelled")),
    ).toEqual([]);
  });
  test("a call that completed before the visible cancellation is no suspect", () => {
    const cancel = rpc({ method: "session/cancel", params: { sessionId: "s1" } });
    expect(
      check(prompted, opened, updated({ status: "completed" }), cancel, answered("cancelled")),
    ).toEqual([]);
  });
  test("a few whole contents that grow are cheap enough", () => {
    const sent = (count: number) => updated({ content: [text("x".repeat(count * 10_000))] });
    expect(check(opened, sent(1), sent(2), sent(3), updated({ status: "completed" }))).toEqual([]);
  });
});

describe("a call that only a question contained", () => {
  const question = asked({ title: "ls", status: "pending" });
  const early = "update-before-open? c1";
  test("may have been refused if the answer is not in the recording", () => {
    expect(check(question, answered("end_turn"))).toEqual([`1 ${early}`, "2 open-at-turn-end? c1"]);
  });
  test("is open if it was allowed, or worked on after a refusal", () => {
    const begun = updated({ status: "in_progress" });
    expect(check(prompted, question, chosen("yes"), answered("end_turn"))).toEqual([
      `2 ${early}`,
      "4 open-at-turn-end c1",
    ]);
    expect(check(prompted, question, chosen("no"), begun, answered("end_turn"))).toEqual([
      `2 ${early}`,
      "4 run-after-denial c1",
      "5 open-at-turn-end c1",
    ]);
  });
  test("is over on v2 when it is refused", () => {
    const toolCall = { toolCallId: "c1", title: "ls", status: "pending" };
    const options = [{ optionId: "no", name: "No", kind: "reject_once" }];
    const subject = { type: "tool_call", toolCall };
    const params = { sessionId: "s1", title: "Run?", options, subject };
    const request = rpc({ id: 0, method: "session/request_permission", params });
    const running = state({ state: "running" });
    const idle = state({ state: "idle", stopReason: "end_turn" });
    const taken = rpc({ id: 2, result: { messageId: "m1" } });
    expect(check(v2, prompted, taken, running, request, chosen("no"), idle)).toEqual([]);
  });
});

describe("healthy v2", () => {
  const upsert = updated({
    title: "ls",
    status: "pending",
    content: [{ type: "terminal", terminalId: "t1" }],
  });
  test("upsert, chunks, terminal, cancelled", () => {
    expect(
      check(
        v2,
        created,
        rpc({ id: 2, result: { messageId: "m1" } }),
        state({ state: "running" }),
        update({ sessionUpdate: "terminal_update", terminalId: "t1", command: "ls" }),
        upsert,
        updated({ status: "in_progress" }),
        update({ sessionUpdate: "tool_call_content_chunk", toolCallId: "c1", content: text("a") }),
        update({ sessionUpdate: "terminal_output_chunk", terminalId: "t1", data: "YQ==" }),
        updated({ status: "paused" }),
        updated({ status: "in_progress", title: null }),
        updated({ status: "cancelled" }),
        state({ state: "idle", stopReason: "cancelled" }),
        state({ state: "idle", stopReason: "cancelled" }),
      ),
    ).toEqual([]);
  });
  test("a permission request may bring the call", () => {
    const request = rpc({
      id: 0,
      method: "session/request_permission",
      params: {
        sessionId: "s1",
        title: "Run?",
        subject: { type: "tool_call", toolCall: { toolCallId: "c1" } },
        options: [{ optionId: "no", name: "No", kind: "reject_once" }],
      },
    });
    expect(check(v2, request, updated({ status: "failed" }))).toEqual([]);
  });
  test("background work outlives the turn", () => {
    const idle = state({
      state: "idle",
      stopReason: "end_turn",
      background: [{ type: "tool_call", toolCallId: "c1" }],
    });
    expect(
      check(v2, state({ state: "running" }), upsert, idle, updated({ status: "completed" })),
    ).toEqual([]);
  });
  test("idle while a call is open", () => {
    expect(check(v2, state({ state: "running" }), upsert, state({ state: "idle" }))).toEqual([
      "4 open-at-turn-end c1",
    ]);
  });
  test("a terminal that a signal ended speaks against completed", () => {
    const killed = update({
      sessionUpdate: "terminal_update",
      terminalId: "t1",
      exitStatus: { signal: "SIGKILL" },
    });
    expect(check(v2, upsert, killed, updated({ status: "completed" }))).toEqual([
      "4 contradictory-outcome c1",
    ]);
  });
});

describe("what is no fault", () => {
  const request = (id: number, method: string, params: object) =>
    rpc({ id, method, params: { sessionId: "s1", ...params } });
  const capable = [
    rpc({
      ...{ id: 8, method: "initialize" },
      params: {
        protocolVersion: 1,
        clientCapabilities: { terminal: true, elicitation: { form: {} } },
      },
    }),
    rpc({ id: 8, result: { protocolVersion: 1 } }),
    rpc({ id: 1, method: "session/new", params: { cwd: "/", mcpServers: [] } }),
    created,
  ];
  const shows = { content: [{ type: "terminal", terminalId: "t" }] };

  test("a terminal that is shown, released, and shown again with the end", () => {
    expect(
      check(
        ...[...capable, prompted, opened],
        request(5, "terminal/create", { command: "ls" }),
        rpc({ id: 5, result: { terminalId: "t" } }),
        updated({ status: "in_progress", ...shows }),
        request(6, "terminal/release", { terminalId: "t" }),
        rpc({ id: 6, result: {} }),
        updated({ status: "completed", content: [...shows.content, text("done")] }),
        answered("end_turn"),
      ),
    ).toEqual([]);
  });

  test("a terminal that was created before the recording began, or that is the agent's own", () => {
    expect(
      check(
        ...[prompted, opened],
        request(5, "terminal/output", { terminalId: "t" }),
        rpc({ id: 5, result: { output: "", truncated: false } }),
        updated({ status: "completed", ...shows }),
        answered("end_turn"),
      ),
    ).toEqual([]);
  });

  test("a request of each side with the same number, each with its own answer", () => {
    expect(
      check(
        ...[...capable, prompted, opened],
        request(2, "terminal/create", { command: "ls" }),
        rpc({ id: 2, result: { terminalId: "t" } }),
        request(3, "terminal/release", { terminalId: "t" }),
        rpc({ id: 3, result: {} }),
        updated({ status: "completed" }),
        answered("end_turn"),
      ),
    ).toEqual([]);
  });

  test("a form of a client that has forms, an error, and a session that is opened again", () => {
    const prompt = (id: number) => request(id, "session/prompt", { prompt: [] });
    expect(
      check(
        ...[...capable, prompted],
        request(5, "elicitation/create", { mode: "form", message: "Which?" }),
        rpc({ id: 5, result: { action: "decline" } }),
        rpc({ id: 2, error: { code: -32603, message: "The model failed." } }),
        request(6, "session/close", {}),
        rpc({ id: 6, result: {} }),
        request(10, "session/fork", { cwd: "/", mcpServers: [] }),
        rpc({ id: 10, result: { sessionId: "s2" } }),
        request(7, "session/load", { cwd: "/", mcpServers: [] }),
        rpc({ id: 7, result: {} }),
        prompt(9),
        answered("end_turn", 9),
      ),
    ).toEqual([]);
  });
});
