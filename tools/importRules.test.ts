import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  foldersMayImport,
  importFaultsOf,
  importsOf,
  mayImport,
  type SourceFile,
} from "./importRules.js";

const manifestSchema = z.object({
  name: z.string(),
  exports: z.record(z.string(), z.unknown()).optional(),
});

function exportsOf(packageName: string): readonly string[] {
  const room = packageName.replace("@callboard/", "");
  const text = readFileSync(join("packages", room, "package.json"), "utf8");
  const { exports = {} } = manifestSchema.parse(JSON.parse(text));
  return Object.keys(exports).map((key) => packageName + key.slice(1));
}

function sources(): readonly SourceFile[] {
  return readdirSync("packages", { recursive: true, encoding: "utf8" })
    .map((path) => `packages/${path.split(sep).join("/")}`)
    .filter((path) => /^packages\/[^/]+\/src\/.*\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(path, "utf8") }));
}

const planted = (path: string, specifier: string) =>
  importFaultsOf({ path, text: `import { x } from "${specifier}"; x();` }, (name) => [
    name,
    ...(name === "@callboard/client" ? ["@callboard/client/react"] : []),
  ]).map((fault) => fault.rule);

const namesIn = (cell: string): readonly string[] =>
  [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name.replace(/\/$/, ""));

describe("the import rules", () => {
  it("hold in the whole tree", () => {
    const files = sources();
    expect(files.length).toBeGreaterThan(50);
    expect(files.flatMap((file) => importFaultsOf(file, exportsOf))).toEqual([]);
  });

  it("are those of the tables in ARCHITECTURE.md", () => {
    const lines = readFileSync("ARCHITECTURE.md", "utf8").split("\n");
    const tableUnder = (head: string) => {
      const rows = lines.slice(lines.indexOf(head) + 2);
      const cells = rows.slice(0, rows.indexOf("")).map((row) => row.split("|").slice(1, -1));
      return Object.fromEntries(
        cells.map((row) => {
          const [name = ""] = namesIn(row[0] ?? "");
          return [name, namesIn(row.at(-1) ?? "").filter((one) => one !== "zod/mini")];
        }),
      );
    };
    expect(tableUnder("| package | may import |")).toEqual(mayImport);
    const folders = "| folder of `packages/run-log/src` | what is in it | may import |";
    expect(tableUnder(folders)).toEqual(foldersMayImport["run-log"]);
  });

  it("leave every statement of SQL to the store", () => {
    const isProduct = ({ path }: SourceFile): boolean =>
      !/^packages\/(?:store|testkit)\/|\.test(-d)?\.tsx?$|\/testing\//.test(path);
    const speaks = ({ text }: SourceFile): boolean =>
      /\b(?:from|into|update|join|table)\s+"?cx_/i.test(text);
    const [inStore, elsewhere] = [(file: SourceFile) => !isProduct(file), isProduct];
    expect(sources().filter(inStore).some(speaks)).toBe(true);
    expect(
      sources()
        .filter(elsewhere)
        .filter(speaks)
        .map(({ path }) => path),
    ).toEqual([]);
  });

  it.each([
    ["packages/server/src/routes/runs.ts", "pg", "only the store speaks to a database"],
    ["packages/code/src/program.ts", "kysely", "only the store speaks to a database"],
    ["packages/run-log/src/log/state.ts", "node:fs", "the heart imports only its schema library"],
    [
      "packages/run-log/src/log/state.ts",
      "fast-check",
      "the heart imports only its schema library",
    ],
    ["packages/run-log/src/log/state.ts", "@callboard/testkit", "run-log may not import testkit"],
    [
      "packages/run-log/src/projections/rows/index.ts",
      "../toolEvent.js",
      "a projection never imports another projection",
    ],
    [
      "packages/run-log/src/projections/spans.ts",
      "./rows/index.js",
      "a projection never imports another projection",
    ],
    [
      "packages/run-log/src/log/evolve.ts",
      "../projections/rows/index.js",
      "run-log/log may not import run-log/projections",
    ],
    [
      "packages/run-log/src/projections/spans.ts",
      "../checker/index.js",
      "run-log/projections may not import run-log/checker",
    ],
    [
      "packages/agent-sdk/src/models/rehearsal.ts",
      "../loop/run.js",
      "agent-sdk/models may not import agent-sdk/loop",
    ],
    [
      "packages/agent-sdk/src/tools/shell.ts",
      "../agent.js",
      "agent-sdk/tools may not import the top of its package",
    ],
    ["packages/web/src/App.tsx", "@callboard/server", "web may not import server"],
    ["packages/client/src/stream.ts", "@callboard/store", "client may not import store"],
    ["packages/client/src/stream.ts", "node:http", "client runs in a browser"],
    ["packages/acp/src/agent.ts", "@callboard/server", "acp may not import server"],
    ["packages/server/src/live/hub.ts", "@callboard/client", "server may not import client"],
    ["packages/agent-sdk/src/agent.ts", "@callboard/code", "agent-sdk may not import code"],
    [
      "packages/client/src/client.ts",
      "zod",
      "a room that runs in a browser imports zod/mini: a bundler cannot shake zod",
    ],
    [
      "packages/code/src/run.ts",
      "@callboard/run-log/src/state.js",
      "a package is imported by what it exports, not by its files",
    ],
    [
      "packages/code/src/run.ts",
      "../../run-log/src/state.js",
      "an import by path stays inside its package",
    ],
  ])("%s may not import %s", (path, specifier, rule) => {
    expect(planted(path, specifier)).toEqual([rule]);
  });

  it.each([
    ["packages/run-log/src/projections/rows/index.ts", "./callRows.js"],
    ["packages/run-log/src/projections/rows/index.ts", "../../log/state.js"],
    ["packages/run-log/src/log/events/index.ts", "zod/mini"],
    ["packages/run-log/src/log/decide.test.ts", "@callboard/testkit"],
    ["packages/web/src/App.tsx", "@callboard/client/react"],
    ["packages/code/src/run.ts", "@callboard/server"],
    ["packages/server/src/pair.int.test.ts", "@callboard/client"],
  ])("%s may import %s", (path, specifier) => {
    expect(planted(path, specifier)).toEqual([]);
  });

  it("see imports, re-exports, type imports and dynamic imports", () => {
    const text = [
      'import "./a.js";',
      'import type { B } from "./b.js";',
      'export * from "./c.js";',
      'export { d } from "./d.js";',
      'const e = await import("./e.js");',
    ].join("\n");
    expect(importsOf({ path: "x.ts", text })).toEqual([
      "./a.js",
      "./b.js",
      "./c.js",
      "./d.js",
      "./e.js",
    ]);
  });
});
