import { chmod, mkdir, readdir, readFile, stat, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createTestTools, numberedLines, type TestTools } from "./testing/testTools.js";

let tools: TestTools;
beforeEach(async () => {
  tools = await createTestTools();
});

describe("write_file", () => {
  it("creates a file with its folders and tells the diff", async () => {
    const path = join(tools.folder, "a/b/c.txt");
    expect(await tools.call("write_file", { path: "a/b/c.txt", content: "one\ntwo" })).toEqual({
      output: "Created a/b/c.txt (2 lines, 7 chars).",
      summary: "2 lines, 7 chars",
      diffs: [{ path, newText: "one\ntwo" }],
    });
    expect(await tools.text("a/b/c.txt")).toBe("one\ntwo");
  });

  it("replaces a file, keeps its mode and leaves nothing beside it", async () => {
    await tools.put("run.sh", "old");
    await chmod(join(tools.folder, "run.sh"), 0o750);
    const result = await tools.call("write_file", { path: "run.sh", content: "new" });
    expect(result.diffs).toEqual([
      { path: join(tools.folder, "run.sh"), oldText: "old", newText: "new" },
    ]);
    expect((await stat(join(tools.folder, "run.sh"))).mode & 0o777).toBe(0o750);
    expect(await readdir(tools.folder)).toEqual(["run.sh"]);
  });

  it("writes through a link inside without replacing the link", async () => {
    await tools.put("real.txt", "old");
    await symlink("real.txt", join(tools.folder, "link.txt"));
    await tools.call("write_file", { path: "link.txt", content: "new" });
    expect(await tools.text("real.txt")).toBe("new");
    expect(
      (await readdir(tools.folder, { withFileTypes: true })).map((one) => one.isSymbolicLink()),
    ).toEqual([true, false]);
  });

  it("refuses binary files, folders and places outside", async () => {
    await tools.put("a.bin", Buffer.from([0, 1]));
    await mkdir(join(tools.folder, "sub"));
    const errorOf = async (path: string) =>
      (await tools.failure("write_file", { path, content: "x" })).errorType;
    expect(await errorOf("a.bin")).toBe("not_text");
    expect(await errorOf("sub")).toBe("is_folder");
    expect(await errorOf("../x")).toBe("path_outside");
    expect(await readFile(join(tools.folder, "a.bin"))).toEqual(Buffer.from([0, 1]));
  });

  it("shows sizes without reading a growing text", () => {
    const { compactParams } = tools.tool("write_file");
    expect(compactParams({ path: join(tools.folder, "a.ts"), content: "a\nb" })).toBe(
      "a.ts (2 lines, 3 chars)",
    );
    expect(compactParams({ path: "a.ts" })).toBe("a.ts");
    expect(compactParams({})).toBeUndefined();
    const start = process.cpuUsage();
    let content = "";
    for (let delta = 0; delta < 20_000; delta += 1) {
      content += "line\nline\n";
      compactParams({ path: "a.ts", content });
    }
    expect(compactParams({ path: "a.ts", content })).toBe("a.ts (200000 chars)");
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(500);
  });
});

describe("edit_file", () => {
  it("replaces the one passage and tells where", async () => {
    await tools.put("a.txt", "one\ntwo\nthree\n");
    const path = join(tools.folder, "a.txt");
    expect(
      await tools.call("edit_file", { path: "a.txt", old_text: "two", new_text: "2\n2" }),
    ).toEqual({
      output: "Edited a.txt at line 2.",
      summary: "line 2",
      diffs: [{ path, oldText: "one\ntwo\nthree\n", newText: "one\n2\n2\nthree\n" }],
    });
    expect(await tools.text("a.txt")).toBe("one\n2\n2\nthree\n");
    expect(tools.context.places).toEqual([[{ path, line: 2 }]]);
  });

  it.each([
    ["one\r\ntwo\r\nthree\r\n", "one\ntwo", "1\n2\n3", "1\r\n2\r\n3\r\nthree\r\n"],
    ["one\r\ntwo\r\n", "two", "2\n3", "one\r\n2\r\n3\r\n"],
    ["one\r\ntwo\nthree\n", "two\nthree", "2\n3", "one\r\n2\n3\n"],
    ["a\r\nb\r\nc\nd\n", "c\nd", "x", "a\r\nb\r\nx\n"],
    ["\ufeffone\n", "one", "1", "\ufeff1\n"],
    ["a $& b", "$&", "$1", "a $1 b"],
  ])("keeps the line endings of %j", async (old, oldText, newText, expected) => {
    await tools.put("a.txt", old);
    await tools.call("edit_file", { path: "a.txt", old_text: oldText, new_text: newText });
    expect(await tools.text("a.txt")).toBe(expected);
  });

  it("says how often a passage occurs when that is not once", async () => {
    await tools.put("a.txt", "x = 1\ny = 1\n  x = 1\n");
    const several = await tools.failure("edit_file", {
      path: "a.txt",
      old_text: "x = 1",
      new_text: "",
    });
    expect(several.message).toBe("old_text occurs 2 times in a.txt, at lines 1, 3.");
    const none = await tools.failure("edit_file", {
      path: "a.txt",
      old_text: "\ty = 1",
      new_text: "",
    });
    expect(none.message).toBe("old_text occurs 0 times in a.txt. Its first line is at line 2.");
    expect(await tools.text("a.txt")).toBe("x = 1\ny = 1\n  x = 1\n");
  });

  it("tells of a large file only the changed lines", async () => {
    await tools.put("a.txt", numberedLines(1, 9000));
    const { diffs } = await tools.call("edit_file", {
      path: "a.txt",
      old_text: "line 5000\n",
      new_text: "new\n",
    });
    expect(diffs).toMatchObject([
      {
        oldText: numberedLines(4997, 5003),
        newText: `${numberedLines(4997, 4999)}new\n${numberedLines(5001, 5003)}`,
      },
    ]);
  });

  it("refuses what is missing, the same, empty or binary", async () => {
    await tools.put("a.bin", Buffer.from([0, 1]));
    const errorOf = async (path: string, oldText: string) =>
      (await tools.failure("edit_file", { path, old_text: oldText, new_text: "x" })).errorType;
    expect(await errorOf("none", "a")).toBe("not_found");
    expect(await errorOf("a.bin", "x")).toBe("no_change");
    expect(await errorOf("a.bin", "a")).toBe("not_text");
    expect(await errorOf("a.bin", "")).toBe("invalid_arguments");
  });
});
