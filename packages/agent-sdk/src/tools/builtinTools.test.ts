import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { mkdir, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { JsonObject } from "@callboard/run-log";
import { afterAll, describe, expect, it } from "vitest";
import { createBuiltinTools } from "./builtinTools.js";
import { failureOf } from "./testing/failureOf.js";
import { testContext, testFolder } from "./testing/testContext.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "callboard-tools-")));
afterAll(() => rmSync(folder, { recursive: true }));
const tools = createBuiltinTools({ workdir: folder });
const byName = new Map(tools.map((tool) => [tool.name, tool]));

describe("the built-in tools", () => {
  it("are these, with these classes", () => {
    const rows = tools.map((tool) => [tool.name, tool.kind, tool.concurrency, tool.needsApproval]);
    expect(rows).toEqual([
      ["read_file", "read", "safe", false],
      ["write_file", "edit", "exclusive", true],
      ["edit_file", "edit", "exclusive", true],
      ["list_files", "search", "safe", false],
      ["search_files", "search", "safe", false],
      ["shell", "execute", "exclusive", true],
      ["web_fetch", "fetch", "safe", true],
      ["memory", "other", "exclusive", false],
      ["todo", "think", "exclusive", false],
    ]);
  });

  it("have schemas that every provider takes: one object, no union at the top", () => {
    for (const { inputSchema } of tools) {
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
      expect(Object.keys(inputSchema)).not.toContain("anyOf");
    }
  });

  it.each<[string, JsonObject, string | undefined, string | undefined, string]>([
    ["read_file", { path: "a.ts" }, "Reading a.ts", "a.ts", "a.ts"],
    [
      "read_file",
      { path: `${folder}/a.ts`, offset: 5 },
      `Reading ${folder}/a.ts`,
      "a.ts 5:",
      "a.ts",
    ],
    ["read_file", { path: "a.ts", limit: 5 }, "Reading a.ts", "a.ts 1:5", "a.ts"],
    ["read_file", { path: "a", offset: 5, limit: 2 }, "Reading a", "a 5:2", "a"],
    ["read_file", {}, "Reading", undefined, ""],
    [
      "write_file",
      { path: "a.ts", content: "a\nb\n" },
      "Writing a.ts",
      "a.ts (2 lines, 4 chars)",
      "a.ts",
    ],
    [
      "write_file",
      { path: "x/../../b", content: "" },
      "Writing x/../../b",
      "x/../../b",
      join(folder, "../b"),
    ],
    [
      "edit_file",
      { path: `${folder}/src/a.ts` },
      `Editing ${folder}/src/a.ts`,
      "src/a.ts",
      "src/a.ts",
    ],
    ["list_files", {}, "Listing", ".", "."],
    ["list_files", { path: "src", pattern: "*.ts" }, "Listing src *.ts", "*.ts in src", "src"],
    ["search_files", { pattern: "a|b" }, "Searching for a|b", "a|b", "."],
    ["search_files", { pattern: "a", path: "src" }, "Searching for a", "a in src", "src"],
    ["shell", { command: "git\nstatus" }, "Running git status", "git status", "git\nstatus"],
    ["web_fetch", { url: "HTTP://A.b" }, "Fetching HTTP://A.b", "HTTP://A.b", "http://a.b/"],
    ["memory", { action: "recall", key: "k" }, "Memory: recall k", "recall k", "recall"],
  ])("%s %j is shown and matched", (name, input, title, compact, target) => {
    const tool = byName.get(name);
    expect([tool?.title(input), tool?.compactParams(input), tool?.approvalTarget(input)]).toEqual([
      title,
      compact,
      target,
    ]);
  });

  it("offer no rule where there is nothing that it could name", () => {
    expect(byName.get("todo")?.approvalTarget({ items: [] })).toBe(undefined);
    expect(byName.get("todo")?.compactParams({ items: [] })).toBe("0 items");
  });

  it("name absolute locations", () => {
    expect(byName.get("read_file")?.locations({ path: "a.ts", offset: 3 }, folder)).toEqual([
      { path: `${folder}/a.ts`, line: 3 },
    ]);
    expect(byName.get("shell")?.locations({ command: "ls" }, folder)).toEqual([]);
  });

  it("match an approval by where a link leads", async () => {
    const linked = await testFolder();
    await mkdir(join(linked, "secrets"));
    await mkdir(join(linked, "src"));
    await symlink("../secrets", join(linked, "src/link"));
    const names = ["read_file", "list_files", "search_files", "write_file", "edit_file"];
    const found = createBuiltinTools({ workdir: linked }).filter(({ name }) =>
      names.includes(name),
    );
    expect(found.map((tool) => tool.approvalTarget({ path: "src/link/key" }))).toEqual(
      names.map(() => "secrets/key"),
    );
  });

  it("may read the whole of an output that was cut, and keep notes in their home", async () => {
    const home = await testFolder();
    const own = createBuiltinTools({ workdir: await testFolder(), home, maxOutputChars: 100 });
    const context = testContext(await testFolder());
    const call = async (name: string, input: JsonObject) =>
      own.find((tool) => tool.name === name)?.execute(input, context);
    const result = await call("shell", { command: "seq 1 1000" });
    expect(result?.filePath?.startsWith(join(home, "outputs"))).toBe(true);
    const path = result?.filePath ?? "";
    expect(await call("read_file", { path, offset: 500, limit: 1 })).toMatchObject({
      output: "500\n\n[Lines 500–500 of 1000; continue with offset 501]",
    });
    const elsewhere = { ...context, sessionId: "session-2" };
    for (const [name, input] of [
      ["read_file", { path }],
      ["search_files", { path, pattern: "500" }],
      ["search_files", { path: join(home, "outputs"), pattern: "500" }],
    ] as const) {
      const reading = own.find((tool) => tool.name === name)?.execute(input, elsewhere);
      expect(await failureOf(reading ?? Promise.resolve())).toMatchObject({
        errorType: "path_outside",
      });
    }
    await call("memory", { action: "store", key: "a", text: "b" });
    expect((await stat(join(home, "memory.json"))).mode & 0o777).toBe(0o600);
    const next = createBuiltinTools({ workdir: folder, home });
    const memory = next.find((tool) => tool.name === "memory");
    expect(await memory?.execute({ action: "recall", key: "a" }, context)).toMatchObject({
      output: "b",
    });
  });
});
