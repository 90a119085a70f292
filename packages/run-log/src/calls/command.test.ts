/** What is a command of the person, and the command line that they see for it. */
import { describe, expect, it } from "vitest";
import { callId, runId } from "../log/ids.js";
import { commandOf, isCommand, printedOutput } from "./command.js";

const closed = {
  v: 1,
  runId: runId("r"),
  seq: 3,
  at: 0,
  type: "call.input.closed",
  callId: callId("c"),
} as const;

describe("isCommand", () => {
  it.each([
    [true, { openedBy: "user", toolType: "local", kind: "execute" }],
    [false, { openedBy: "model", toolType: "local", kind: "execute" }],
    [false, { openedBy: "user", toolType: "external_mcp", kind: "execute" }],
    [false, { openedBy: "user", toolType: "local", kind: "read" }],
    [false, { openedBy: "user", toolType: "local" }],
  ] as const)("is %j of %j", (expected, call) => {
    expect(isCommand(call)).toBe(expected);
  });
});

describe("commandOf", () => {
  it("is the command argument", () => {
    const input = { cwd: ".", command: "git push" };
    expect(commandOf({ ...closed, parsed: true, input })).toBe("git push");
  });

  it("is an empty command as it is", () => {
    expect(commandOf({ ...closed, parsed: true, input: { command: "" } })).toBe("");
  });

  it.each([
    [{ path: "a" }, '{"path":"a"}'],
    [{ command: ["ls"] }, '{"command":["ls"]}'],
    [["ls"], '["ls"]'],
    ["ls", '"ls"'],
    [null, "null"],
  ])("is the arguments' text where no command is named: %j", (input, text) => {
    expect(commandOf({ ...closed, parsed: true, input })).toBe(text);
  });

  it("is the raw text where the writer kept it", () => {
    const text = '{ "path" : "a" }';
    expect(commandOf({ ...closed, parsed: true, input: { path: "a" }, text })).toBe(text);
  });

  it("is the raw text of arguments that do not parse", () => {
    const text = "git push";
    expect(commandOf({ ...closed, parsed: false, text, problem: "no JSON" })).toBe("git push");
  });

  it("is no inherited property", () => {
    const input = Object.create({ command: "inherited" });
    expect(commandOf({ ...closed, parsed: true, input })).toBe("{}");
  });
});

describe("printedOutput", () => {
  it.each([
    ["no\n[exit code 3]", 3, "no\n"],
    ["[exit code 137]", 137, ""],
    ["(No output.)", 0, ""],
    ["no\n[exit code 3]", 0, "no\n[exit code 3]"],
    ["no\n[exit code 3]", null, "no\n[exit code 3]"],
    ["yes\n", 0, "yes\n"],
  ])("of %j with code %j is %j", (output, exitCode, printed) => {
    expect(printedOutput(output, exitCode)).toBe(printed);
  });
});
