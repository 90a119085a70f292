/** ACP lives with the faults that real agents show, and several sessions on one connection. */
import { describe, expect, test } from "vitest";
import { checkStream } from "../checker.js";
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
} from "../testing/acpLines.js";

describe("faults seen in the wild", () => {
  test("a permission request before the call, which is then left pending", () => {
    expect(
      check(
        v1,
        created,
        asked({ status: "pending", title: "Write" }),
        spoken("All done."),
        answered("end_turn"),
      ),
    ).toEqual(["3 update-before-open? c1", "5 open-at-turn-end? c1"]);
  });
  test("an aborted command reported as completed", () => {
    const rawOutput = { output: "started\nUser aborted the command\n", metadata: { exit: null } };
    expect(
      check(
        opened,
        updated({ status: "in_progress" }),
        updated({ status: "completed", rawOutput }),
        answered("cancelled"),
      ),
    ).toEqual(["3 contradictory-outcome c1", "4 completed-in-cancelled-turn? c1"]);
  });
  test("a null exit alone may be background work", () => {
    expect(check(opened, updated({ status: "completed", rawOutput: { exitCode: null } }))).toEqual([
      "2 contradictory-outcome? c1",
    ]);
  });
  test("running before the permission that makes it pending again", () => {
    expect(
      check(
        opened,
        updated({ status: "in_progress" }),
        asked({ status: "pending" }),
        updated({ status: "failed" }),
      ),
    ).toEqual(["3 stage-regression? c1"]);
  });
  test("in progress at the answer, completed long after it", () => {
    const running = update({
      sessionUpdate: "tool_call",
      toolCallId: "c1",
      title: "sleep",
      status: "in_progress",
    });
    const exit = { terminal_exit: { exit_code: 0, signal: null } };
    expect(
      check(
        running,
        answered("cancelled"),
        updated({ _meta: { terminal_output_delta: {} } }),
        updated({ status: "completed", _meta: exit }),
      ),
    ).toEqual([
      "2 open-at-turn-end c1",
      "3 update-after-turn-end c1",
      "4 closed-after-turn-end c1",
    ]);
  });
  test("the whole output again for every line", () => {
    const lines = Array.from({ length: 160 }, (_, index) =>
      updated({
        content: [text("line of sixty-three characters ".repeat(2 * (index + 1)))],
      }),
    );
    expect(check(opened, ...lines, updated({ status: "completed" }))).toEqual([
      "162 resent-content c1",
    ]);
  });
  test("an abort flag that came before the closing", () => {
    const meta = { claudeCode: { toolResponse: { stdout: "", interrupted: true } } };
    expect(check(opened, updated({ _meta: meta }), updated({ status: "completed" }))).toEqual([
      "3 contradictory-outcome c1",
    ]);
  });
  test("methods and updates that are neither ACP nor an extension", () => {
    expect(
      check(created, rpc({ id: 5, method: "craft/drain" }), update({ sessionUpdate: "dance" })),
    ).toEqual(["2 unknown-type?", "3 unknown-type?"]);
  });
});

describe("sessions", () => {
  test("the same call id in two sessions is two calls", () => {
    const other = (fields: object) => update({ toolCallId: "c1", ...fields }, "s2");
    const report = checkStream(
      [
        opened,
        other({ sessionUpdate: "tool_call", title: "ls" }),
        updated({ status: "completed" }),
        other({ sessionUpdate: "tool_call_update", status: "failed" }),
      ]
        .map((line) => JSON.stringify(line))
        .join("\n"),
    );
    expect(report).toEqual({ dialect: "acp", lines: 4, calls: 2, findings: [] });
  });
  test("the prompt's own answer ends only its session's turn", () => {
    const other = rpc({ id: 3, method: "session/prompt", params: { sessionId: "s2" } });
    const theirs = update({ sessionUpdate: "tool_call", toolCallId: "c9", title: "ls" }, "s2");
    expect(check(prompted, other, opened, theirs, answered("end_turn", 3))).toEqual([
      "5 open-at-turn-end c9",
      "5 request-unanswered",
      "5 open-at-stream-end c1",
    ]);
  });
  test("an empty list again, alone, and not beside something new", () => {
    const told = updated({ locations: [], title: "ls -l" });
    const again = updated({ locations: [] });
    const ended = updated({ locations: [], status: "completed" });
    expect(check(opened, told, again, ended)).toEqual(["3 unchanged-field? c1"]);
  });
  test("a prompt that fails ends its turn", () => {
    const failed = rpc({ id: 2, error: { code: -32603, message: "broken" } });
    expect(check(prompted, opened, failed)).toEqual(["3 open-at-turn-end c1"]);
  });
  test("a replay that leaves a call open", () => {
    const load = rpc({ id: 7, method: "session/load", params: { sessionId: "s1" } });
    expect(check(load, opened, rpc({ id: 7, result: null }))).toEqual(["3 open-at-turn-end c1"]);
  });
});
