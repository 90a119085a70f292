import { describe, expect, it } from "vitest";
import { mergedUpdate } from "./mergedUpdate.js";
import {
  contentOnly,
  statusOnly,
  ToolCallUpdateBuilder,
  UpdateRefusedError,
} from "./toolCallUpdateBuilder.js";

const text = (words: string) =>
  ({ type: "content", content: { type: "text", text: words } }) as const;
const start = { sessionUpdate: "tool_call_update", toolCallId: "c1" } as const;

describe("an update", () => {
  it("carries only what was set, most important first", () => {
    const update = new ToolCallUpdateBuilder("c1")
      .rawOutput({ lines: 2 })
      .title("Read a.ts")
      .addText("one")
      .addText("two")
      .locations([{ path: "/project/a.ts", line: 3 }])
      .status("completed")
      .build();
    expect(JSON.stringify(update)).toBe(
      JSON.stringify({
        ...start,
        status: "completed",
        content: [text("one"), text("two")],
        locations: [{ path: "/project/a.ts", line: 3 }],
        title: "Read a.ts",
        rawOutput: { lines: 2 },
      }),
    );
  });

  it("of one field has shortcuts", () => {
    expect(statusOnly("c1", "in_progress")).toEqual({ ...start, status: "in_progress" });
    expect(contentOnly("c1", [text("x")])).toEqual({ ...start, content: [text("x")] });
  });

  it("takes context along where it is final, and says nothing else for the call", () => {
    const call = { ...start, title: "Read", content: [text("old")], locations: [{ path: "/a" }] };
    const update = new ToolCallUpdateBuilder("c1").status("completed").addText("new");
    expect(update.includeContext({ ...call, kind: "read" }).build()).toEqual({
      ...{ ...start, status: "completed", content: [text("new")] },
      ...{ locations: [{ path: "/a" }], title: "Read" },
    });
  });

  it("clears lists on both versions, and fields on v2", () => {
    expect(new ToolCallUpdateBuilder("c1").clear("content").build()).toEqual({
      ...start,
      content: [],
    });
    const v2 = new ToolCallUpdateBuilder("c1", { version: 2 }).clear("title").build();
    expect(v2).toEqual({ ...start, title: null });
  });
});

describe("merging", () => {
  it("lets the later win, but for a final status", () => {
    const update = new ToolCallUpdateBuilder("c1")
      .status("failed")
      .title("old")
      .merge({ ...start, status: "in_progress", title: "new" })
      .build();
    expect(update).toEqual({ ...start, status: "failed", title: "new" });
  });

  it("refuses an opening without a word", () => {
    const empty = ToolCallUpdateBuilder.open("c1", "");
    expect(empty.problems()).toEqual(["a tool_call needs a title"]);
  });

  it("keeps an opening an opening", () => {
    const opening = { sessionUpdate: "tool_call", toolCallId: "c1", title: "t", status: "pending" };
    expect(mergedUpdate(opening, statusOnly("c1", "completed"))).toEqual({
      ...opening,
      status: "completed",
    });
  });

  it("joins what is appended to a terminal", () => {
    const piece = (data: string) => ({
      ...start,
      _meta: { terminal_output: { terminal_id: "t", data }, other: data },
    });
    expect(mergedUpdate(piece("a"), piece("b"))._meta).toEqual({
      terminal_output: { terminal_id: "t", data: "ab" },
      other: "b",
    });
  });
});

const cancelled = { ...start, status: "cancelled" };

describe("what a client would not take is refused, with every reason", () => {
  it.each<[string, { build(): object; problems(): readonly string[] }, RegExp]>([
    ["nothing", new ToolCallUpdateBuilder("c1"), /it changes nothing/],
    ["no id", new ToolCallUpdateBuilder("").status("pending"), /name the call/],
    ["a word of v2 on v1", new ToolCallUpdateBuilder("c1").merge(cancelled), /"cancelled"/],
    ["null on v1", new ToolCallUpdateBuilder("c1").clear("title"), /title is null/],
    ["an unknown kind", new ToolCallUpdateBuilder("c1").kind("dance"), /kind "dance"/],
    [
      "a relative place",
      new ToolCallUpdateBuilder("c1").locations([{ path: "a.ts" }]),
      /not absolute: a\.ts/,
    ],
    [
      "line 0 on v2",
      new ToolCallUpdateBuilder("c1", { version: 2 }).locations([{ path: "/a", line: 0 }]),
      /line 0/,
    ],
    [
      "a content of no type",
      new ToolCallUpdateBuilder("c1").merge({ ...start, content: [{ type: "song" }] }),
      /content\[0\] has the unknown type "song"/,
    ],
  ])("%s", (_, builder, reason) => {
    expect(() => builder.build()).toThrow(UpdateRefusedError);
    expect(builder.problems().join("; ")).toMatch(reason);
  });
});

describe("a whole call", () => {
  it("is opened, updated and closed, with diffs, terminals and places", () => {
    const open = ToolCallUpdateBuilder.open("c1", "Edit a.ts").kind("edit").build();
    expect(open).toEqual({
      ...{ sessionUpdate: "tool_call", toolCallId: "c1" },
      ...{ status: "pending", title: "Edit a.ts", kind: "edit" },
    });
    const oldText = Array.from({ length: 50 }, (_, index) => `${index}\n`).join("");
    const update = new ToolCallUpdateBuilder("c1")
      .status("in_progress")
      .diff("/a.ts", { oldText, newText: oldText.replace("25\n", "changed\n") })
      .diff("/b.ts", { newText: "new\n" })
      .terminal("t1")
      .location("/a.ts", 26)
      .location("/b.ts")
      .build();
    const [before, after] = ["22\n23\n24\n", "26\n27\n28\n"];
    expect(update).toEqual({
      ...{ ...start, status: "in_progress" },
      content: [
        {
          ...{ type: "diff", path: "/a.ts" },
          ...{ oldText: `${before}25\n${after}`, newText: `${before}changed\n${after}` },
        },
        { type: "diff", path: "/b.ts", newText: "new\n" },
        { type: "terminal", terminalId: "t1" },
      ],
      locations: [{ path: "/a.ts", line: 26 }, { path: "/b.ts" }],
    });
    expect(new ToolCallUpdateBuilder("c1").completed("done").build()).toEqual({
      ...{ ...start, status: "completed", content: [text("done")] },
    });
    expect(new ToolCallUpdateBuilder("c1").failed("no").build()).toEqual({
      ...{ ...start, status: "failed", content: [text("no")] },
    });
  });

  it("of v2 is opened by its first update, and shows a patch", () => {
    const builder = ToolCallUpdateBuilder.open("c1", "Edit", { version: 2 });
    const update = builder.diff("/a", { oldText: "a\n", newText: "b\n" }).build();
    expect(update).toMatchObject({
      ...{ sessionUpdate: "tool_call_update", title: "Edit", status: "pending" },
      content: [{ type: "diff", patch: { format: "git_patch" } }],
    });
  });
});

describe("what the protocol's schema refuses", () => {
  const problems = (fields: object): readonly string[] =>
    new ToolCallUpdateBuilder("c1").merge({ ...start, ...fields }).problems();

  it.each([
    [
      { content: [{ type: "content", content: { type: "text" } }] },
      "content[0].content has no text",
    ],
    [
      {
        content: [{ type: "content", content: { type: "image", data: 1, mimeType: "image/png" } }],
      },
      "content[0].content.data is not of type string",
    ],
    [
      { content: [{ type: "diff", path: "/a", newText: "x", oldText: 1 }] },
      "content[0].oldText is not of type string or null",
    ],
    [{ title: 7 }, "title is not of type string or null"],
    [{ _meta: "x" }, "_meta is not of type object or null"],
  ])("is named by its place: %j", (fields, problem) => {
    expect(problems(fields)).toContain(problem);
  });

  it("is nothing where all is well, on both versions", () => {
    expect(problems({ content: [text("x")], locations: [{ path: "/a", line: 0 }] })).toEqual([]);
    const v2 = new ToolCallUpdateBuilder("c1", { version: 2 }).status("paused").addText("x");
    expect(v2.problems()).toEqual([]);
  });
});
