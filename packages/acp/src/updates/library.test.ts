/** The engine as a library of its own: whatever is offered, however it is used. */
import type { JsonValue } from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { createFakeClock } from "../testing/fakeClock.js";
import { createRecordingPipe } from "../testing/recordingPipe.js";
import { boundedContent } from "./contentSizes.js";
import { createUpdateEngine } from "./updateEngine.js";

function stage(version: 1 | 2 = 1) {
  const clock = createFakeClock();
  const pipe = createRecordingPipe();
  const engine = createUpdateEngine({ write: pipe.write, clock, version });
  return { clock, pipe, engine, sent: () => pipe.updatesOf("s") };
}
const opening = {
  sessionUpdate: "tool_call",
  toolCallId: "c1",
  title: "ls",
  status: "in_progress",
};
const updated = (fields: Record<string, JsonValue>) => ({
  ...{ sessionUpdate: "tool_call_update", toolCallId: "c1" },
  ...fields,
});

describe("a value that is changed in place and offered again", () => {
  it("is sent as it is now, and what was offered before stays as it was then", async () => {
    const { clock, engine, sent } = stage();
    const rawOutput = { lines: [1, 2], deep: { count: 1 } };
    engine.offer("s", { ...opening, rawOutput });
    rawOutput.deep.count = 2;
    await clock.advance(10_000);
    engine.offer("s", updated({ rawOutput }));
    rawOutput.lines.push(3);
    await clock.advance(10_000);
    engine.offer("s", updated({ rawOutput }));
    await clock.advance(10_000);
    expect(sent().map((update) => update.rawOutput)).toEqual([
      { lines: [1, 2], deep: { count: 1 } },
      { lines: [1, 2], deep: { count: 2 } },
      { lines: [1, 2, 3], deep: { count: 2 } },
    ]);
  });
});

describe("a key of _meta that says two things while it waits", () => {
  it("is told twice, and the same thing once", async () => {
    const { clock, engine, sent } = stage();
    engine.offer("s", opening);
    await clock.advance(1_000);
    for (const stdout of ["one", "one", "two"]) engine.offer("s", updated({ _meta: { stdout } }));
    await clock.advance(1_000);
    expect(sent().slice(1)).toEqual([
      updated({ _meta: { stdout: "one" } }),
      updated({ _meta: { stdout: "two" } }),
    ]);
  });
});

describe("figures", () => {
  it("count by themselves: lines, bytes and sizes", async () => {
    const { clock, engine, pipe } = stage();
    engine.offer("s", opening);
    engine.offer("s", updated({ status: "completed" }));
    await clock.advance(1_000);
    const { updates, bytes, largestBytes } = engine.metrics.stats;
    expect(updates).toEqual({ tool_call: 1, tool_call_update: 1 });
    const [first = 0, second = 0] = pipe.lines.map((line) => Buffer.byteLength(line) + 1);
    expect(bytes).toEqual({ tool_call: first, tool_call_update: second });
    expect(largestBytes).toBe(Math.max(first, second));
  });

  it("are left to a pipe that counts every line itself", async () => {
    const { clock, pipe } = stage();
    const engine = createUpdateEngine({ write: pipe.write, clock, countsLines: false });
    engine.offer("s", opening);
    await clock.advance(1_000);
    expect(engine.metrics.stats.updates).toEqual({});
  });
});

describe("the end of a turn", () => {
  it("closes what is open, keeps what it shows and says why", async () => {
    const { clock, engine, sent } = stage();
    const item = { type: "content", content: { type: "text", text: "half" } };
    engine.offer("s", { ...opening, content: [item] });
    engine.offer("s", { ...opening, toolCallId: "c2", status: "completed" });
    expect(engine.closeOpen("s", "failed", "stopped")).toEqual(["c1"]);
    await clock.advance(1_000);
    const reason = { type: "content", content: { type: "text", text: "stopped" } };
    expect(sent().findLast(({ toolCallId }) => toolCallId === "c1")).toMatchObject({
      status: "failed",
      content: [item, reason],
    });
    expect(engine.openCalls("s")).toEqual([]);
  });
});

describe("an id that is used again", () => {
  it("opens its call again; a late word of the old one is not heard", async () => {
    const { clock, engine, sent } = stage();
    engine.offer("s", { ...opening, status: "completed" });
    expect(engine.offer("s", updated({ title: "late" }))).toBe("suppressed");
    expect(engine.offer("s", { ...opening, status: "failed" })).toBe("suppressed");
    engine.offer("s", { ...opening, title: "again", status: "pending" });
    await clock.advance(1_000);
    expect(sent().at(-1)).toEqual({ ...opening, title: "again", status: "pending" });
  });
});

describe("a terminal that is shown for the first time", () => {
  it("is told at once, with everything before it", async () => {
    const { clock, engine, sent } = stage();
    engine.offer("s", opening);
    await clock.advance(0);
    engine.offer("s", updated({ title: "later" }));
    await clock.advance(0);
    expect(sent()).toHaveLength(1);
    const content = [{ type: "terminal", terminalId: "t1" }];
    engine.offer("s", updated({ content }));
    await clock.advance(0);
    expect(sent().at(-1)).toEqual(updated({ title: "later", content }));
  });
});

describe("a terminal of v2", () => {
  it("is known before the call that shows it, also where the call waits longer", async () => {
    const { clock, engine, sent } = stage(2);
    engine.hold("s", true);
    engine.offer("s", updated({ title: "ls", status: "pending" }));
    engine.offer("s", updated({ toolCallId: "c2", title: "pwd", status: "pending" }));
    engine.offer("s", { sessionUpdate: "terminal_update", terminalId: "t1", command: "ls" });
    const content = [{ type: "terminal", terminalId: "t1" }];
    engine.offer("s", updated({ status: "in_progress", content }));
    engine.hold("s", false);
    engine.hasten("s");
    await clock.advance(1_000);
    expect(sent().map(({ terminalId, toolCallId }) => terminalId ?? toolCallId)).toEqual([
      ...["t1", "c1", "c2"],
    ]);
  });
});

describe("a diff that is too large", () => {
  const lines = Array.from({ length: 4_000 }, (_, index) => `line ${index} of a long file\n`);
  const diff = (oldText: string, newText: string) => ({
    type: "diff",
    path: "/a",
    oldText,
    newText,
  });

  it("is cut to its hunks, which say what changes", () => {
    const after = lines.with(1_500, "changed\n");
    const [item, ...others] = boundedContent([diff(lines.join(""), after.join(""))], 65_536);
    expect(others).toEqual([]);
    expect(item).toEqual(
      diff(lines.slice(1_497, 1_504).join(""), after.slice(1_497, 1_504).join("")),
    );
  });

  it("of one long line is cut from the first difference on, and says so", () => {
    const [before, after] = [`${"a".repeat(2e5)}x`, `${"a".repeat(2e5)}y${"b".repeat(2e5)}`];
    const [item, note] = boundedContent([diff(before, after)], 65_536);
    const { oldText, newText } = Object(item);
    expect(oldText.endsWith("ax")).toBe(true);
    expect(newText.includes("ay")).toBe(true);
    expect(oldText.length + newText.length).toBeLessThanOrEqual(65_536);
    expect(JSON.stringify(note)).toMatch(/\d+ characters of this diff left out/);
  });

  it("of v2 stays a patch with true counts", () => {
    const body = lines.map((line) => `+${line}`).join("");
    const text = `diff --git /a /a\n--- /a\n+++ /a\n@@ -1,0 +1,4000 @@\n${body}`;
    const patch = { type: "diff", changes: [], patch: { format: "git_patch", text } };
    const [item] = boundedContent([patch], 10_000);
    const cut = Object(item).patch.text;
    const [, count] = /@@ -1,0 \+1,(\d+) @@/.exec(cut) ?? [];
    expect(cut.length).toBeLessThanOrEqual(10_000);
    expect(cut.match(/^\+line/gm)).toHaveLength(Number(count));
  });
});
