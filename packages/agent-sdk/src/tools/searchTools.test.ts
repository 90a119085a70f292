import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { createSearchFilesTool } from "./searchFiles.js";
import { failureOf } from "./testing/failureOf.js";
import { testContext } from "./testing/testContext.js";
import { createTestTools, type TestTools } from "./testing/testTools.js";

let tools: TestTools;
beforeEach(async () => {
  tools = await createTestTools();
});

describe("list_files", () => {
  beforeEach(async () => {
    for (const name of ["src/deep", "node_modules/x", ".git"]) {
      await mkdir(join(tools.folder, name), { recursive: true });
    }
    for (const name of [
      "b.md",
      "a.ts",
      "src/c.ts",
      "src/deep/d.ts",
      "node_modules/x/e.ts",
      ".git/f.ts",
    ]) {
      await tools.put(name, "x");
    }
    await symlink("/etc", join(tools.folder, "etc"));
  });

  it("lists a tools.folder", async () => {
    expect(await tools.call("list_files", {})).toEqual({
      output: ".git/\na.ts\nb.md\netc@\nnode_modules/\nsrc/",
      summary: "6 entries",
    });
    expect(await tools.call("list_files", { path: "node_modules/x" })).toMatchObject({
      output: "e.ts",
    });
  });

  it.each([
    ["*.ts", "a.ts\nsrc/c.ts\nsrc/deep/d.ts"],
    ["src/*.ts", "src/c.ts"],
    ["src/**/*.{ts,js}", "src/c.ts\nsrc/deep/d.ts"],
    ["**/[cd].ts", "src/c.ts\nsrc/deep/d.ts"],
    ["*.none", "(Nothing there.)"],
  ])("finds %s", async (pattern, output) => {
    expect(await tools.call("list_files", { pattern })).toMatchObject({ output });
  });

  it("does not go outside or through a link", async () => {
    expect((await tools.failure("list_files", { path: "etc" })).errorType).toBe("path_outside");
    expect((await tools.failure("list_files", { path: "a.ts" })).errorType).toBe("not_a_folder");
    expect(await tools.call("list_files", { pattern: "passwd" })).toMatchObject({
      output: "(Nothing there.)",
    });
  });
});

describe("search_files", () => {
  it("finds lines and skips what is binary or not one's own", async () => {
    await mkdir(join(tools.folder, "src"));
    await mkdir(join(tools.folder, "node_modules"));
    await tools.put("src/a.ts", "one\r\nTwo two\r\n");
    await tools.put("node_modules/b.ts", "two");
    await tools.put("c.bin", Buffer.from("two\0"));
    expect(await tools.call("search_files", { pattern: "(?i)^two" })).toEqual({
      output: "src/a.ts:2: Two two",
      summary: "1 match in 1 file",
    });
    expect(await tools.call("search_files", { pattern: "one", path: "src/a.ts" })).toMatchObject({
      output: "src/a.ts:1: one",
    });
    expect(await tools.call("search_files", { pattern: "three" })).toEqual({
      output: "No matches.",
      summary: "no matches",
    });
  });

  it("bounds matches and the length of lines", async () => {
    await tools.put("a.txt", `${"x".repeat(5000)}\n`.repeat(500));
    const { output } = await tools.call("search_files", { pattern: "x" });
    expect(String(output).length).toBeLessThan(1100);
    expect(output).toContain("[there are more matches; narrow the search]");
  });

  it("survives a pattern that never ends", async () => {
    await tools.put("a.txt", `${"a".repeat(100)}!\n`);
    const slow = createSearchFilesTool({
      workdir: tools.folder,
      maxOutputChars: 1000,
      additionalDirectories: [],
      maxSearchMs: 300,
    });
    const failed = await failureOf(slow.execute({ pattern: "^(a+)+$" }, tools.context));
    expect(failed.errorType).toBe("timeout");
  });

  it("stops when it is cancelled", async () => {
    await tools.put("a.txt", `${"a".repeat(100)}!\n`);
    const controller = new AbortController();
    const cancelled = testContext(tools.folder, { signal: controller.signal });
    const running = tools.tool("search_files").execute({ pattern: "^(a+)+$" }, cancelled);
    setImmediate(() => controller.abort());
    await expect(running).rejects.toThrow("aborted");
  });

  it("says what is wrong with a pattern", async () => {
    const { errorType, message } = await tools.failure("search_files", { pattern: "(" });
    expect([errorType, message]).toEqual([
      "invalid_arguments",
      '"pattern": Invalid regular expression: /(/: Unterminated group.',
    ]);
  });
});
