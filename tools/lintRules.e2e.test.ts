import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";

/** A rule that reports nothing when it should is worse than none: each one is broken here on purpose. */
const biome = resolve("node_modules/.bin/biome");

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "callboard-lint-"));
  const config = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(readFileSync("biome.json", "utf8")));
  const { $schema: _, vcs: __, ...rules } = config;
  writeFileSync(join(folder, "biome.json"), JSON.stringify(rules));
  cpSync("tools", join(folder, "tools"), {
    recursive: true,
    filter: (path) => !path.endsWith(".ts"),
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const reportSchema = z.object({ diagnostics: z.array(z.object({ category: z.string() })) });

function lint(files: Readonly<Record<string, string>>): readonly string[] {
  const planted = join(folder, "packages");
  rmSync(planted, { recursive: true, force: true });
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(planted, path)), { recursive: true });
    writeFileSync(join(planted, path), text);
  }
  const { stdout } = spawnSync(biome, ["lint", "--reporter=json", "packages"], {
    cwd: folder,
    encoding: "utf8",
  });
  const { diagnostics } = reportSchema.parse(JSON.parse(stdout));
  return [...new Set(diagnostics.map(({ category }) => category))];
}

describe("the lint rules", () => {
  it.each([
    ["lint/suspicious/noExplicitAny", "export const x: any = 1;"],
    ["lint/style/noNonNullAssertion", "export const x = (y?: string) => y!.length;"],
    ["lint/style/noEnum", "export enum X { A = 1 }"],
    ["lint/style/noNamespace", "export namespace X { export const a = 1; }"],
    ["lint/style/noRestrictedGlobals", "console.log(1);"],
    ["plugin", "export const now = Date.now();"],
    ["plugin", "export const now = new Date();"],
    ["plugin", "export const luck = Math.random();"],
    ["plugin", "export const cast = (x: unknown) => x as string;"],
    ["plugin", "export const f = (w: Writer): void => {\n  w.propose(1);\n};"],
    ["plugin", "export const f = (w: Writer): void => {\n  void w.inner.propose(1);\n};"],
    ["plugin", "export const f = (w: Writer): void => w.propose(1);"],
    ["plugin", "export const f = (w: Writer): void => {\n  w?.propose(1);\n};"],
    [
      "lint/nursery/noFloatingPromises",
      "async function f(): Promise<void> {}\nexport function g(): void { f(); }",
    ],
    [
      "lint/nursery/useExhaustiveSwitchCases",
      'export function h(u: "a" | "b"): void { switch (u) { case "a": break; } }',
    ],
  ])("%s", (rule, text) => {
    expect(lint({ "run-log/src/planted.ts": `${text}\n` })).toEqual([rule]);
  });

  it("noImportCycles", () => {
    const files = {
      "run-log/src/a.ts": 'import { b } from "./b.js";\nexport const a = (): unknown => b;\n',
      "run-log/src/b.ts": 'import { a } from "./a.js";\nexport const b = (): unknown => a;\n',
    };
    expect(lint(files)).toEqual(["lint/suspicious/noImportCycles"]);
  });

  it("let healthy code pass", () => {
    const text = [
      "export const both = [1, 2] as const;",
      "export const later = new Date(0);",
      "export const isTaken = (w: Writer): boolean => w.propose(1).status === both;",
      "export const taken = (w: Writer) => {\n  const decision = w.propose(1);\n  return decision;\n};",
    ];
    expect(lint({ "run-log/src/fine.ts": `${text.join("\n")}\n` })).toEqual([]);
  });
});
