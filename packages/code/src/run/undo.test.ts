import { type Diff, parseEvent, type RunEvent } from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { undoOf } from "./undo.js";

let seq = 0;
function event(run: string, fields: Readonly<Record<string, unknown>>): RunEvent {
  seq += 1;
  const parsed = parseEvent({ v: 1, runId: run, seq, at: seq, ...fields });
  if (parsed.status === "parsed") return parsed.event;
  throw new Error(parsed.problem);
}

function edited(run: string, diffs: readonly Diff[] | undefined, openedBy = "model") {
  seq += 1;
  const callId = `c${seq}`;
  const tool = { toolName: "write_file", toolType: "local", kind: "edit" };
  return [
    event(run, { type: "call.opened", callId, messageId: "m", ...tool, openedBy }),
    event(run, { type: "call.closed", callId, outcome: "ok", output: "", ...(diffs && { diffs }) }),
  ];
}

const disk = (files: Readonly<Record<string, string>>) => (path: string) =>
  Promise.resolve(files[path]);

describe("undoing the last run", () => {
  it("gives each file the text that it had before the run, and removes what the run made", async () => {
    const log = [
      ...edited("r1", [{ path: "/a", oldText: "0", newText: "1" }]),
      ...edited("r2", [{ path: "/a", oldText: "1", newText: "2" }]),
      ...edited("r2", [{ path: "/new", newText: "n" }]),
      ...edited("r2", [{ path: "/a", oldText: "2", newText: "3" }]),
    ];
    expect(await undoOf(log, disk({ "/a": "3", "/new": "n" }))).toEqual({
      status: "possible",
      steps: [
        { path: "/a", text: "1" },
        { path: "/new", text: undefined },
      ],
    });
  });

  it("is refused as a whole where a file was changed since, or is gone", async () => {
    const log = [
      ...edited("r", [{ path: "/a", oldText: "0", newText: "1" }]),
      ...edited("r", [{ path: "/b", newText: "b" }]),
      ...edited("r", [{ path: "/c", oldText: "0", newText: "c" }]),
    ];
    expect(await undoOf(log, disk({ "/a": "1 and more", "/b": "b" }))).toEqual({
      status: "refused",
      reasons: ["/c no longer exists", "/a was changed since"],
    });
  });

  it("finds the changed lines of a large file where they occur once", async () => {
    const rest = "x\n".repeat(20_000);
    const log = edited("r", [{ path: "/a", oldText: "old\n", newText: "new\n" }]);
    expect(await undoOf(log, disk({ "/a": `${rest}new\n` }))).toEqual({
      status: "possible",
      steps: [{ path: "/a", text: `${rest}old\n` }],
    });
    expect((await undoOf(log, disk({ "/a": `${rest}new\nnew\n` }))).status).toBe("refused");
  });

  it("continues with the run before where the files of a run are as they were before it", async () => {
    const log = [
      ...edited("r1", [{ path: "/a", oldText: "0", newText: "1" }]),
      ...edited("r2", [{ path: "/a", oldText: "1", newText: "2" }]),
      ...edited("r2", [{ path: "/new", newText: "n" }]),
      ...edited("undo", [{ path: "/a", oldText: "2", newText: "1" }], "user"),
    ];
    expect(await undoOf(log, disk({ "/a": "1", "/new": "n" }))).toEqual({
      status: "possible",
      steps: [{ path: "/new", text: undefined }],
    });
    expect(await undoOf(log, disk({ "/a": "1" }))).toEqual({
      status: "possible",
      steps: [{ path: "/a", text: "0" }],
    });
    expect(await undoOf(log, disk({ "/a": "0" }))).toMatchObject({ status: "refused" });
  });

  it("does nothing where no change of a run of the model's is left", async () => {
    const diffs = [{ path: "/a", oldText: "0", newText: "1" }];
    expect(await undoOf([], disk({}))).toEqual({ status: "nothing" });
    expect(await undoOf(edited("r", diffs), disk({ "/a": "0" }))).toEqual({ status: "nothing" });
    expect(await undoOf(edited("r", diffs, "user"), disk({ "/a": "1" }))).toEqual({
      status: "nothing",
    });
  });

  it("is refused where the log could not hold a change", async () => {
    const log = edited("r", undefined);
    expect(await undoOf(log, disk({}))).toEqual({
      status: "refused",
      reasons: ["a change was too large to be kept in the log"],
    });
  });
});
