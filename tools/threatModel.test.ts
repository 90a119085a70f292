/** The threat model names every third-party package that the published packages install, and no other. */
import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { z } from "zod";

const root = new URL("../", import.meta.url);
const manifestSchema = z.looseObject({
  private: z.boolean().optional(),
  dependencies: z.record(z.string(), z.string()).default({}),
});

function installed(): ReadonlySet<string> {
  const folders = readdirSync(new URL("packages/", root));
  const names = folders.flatMap((folder) => {
    const text = readFileSync(new URL(`packages/${folder}/package.json`, root), "utf8");
    const manifest = manifestSchema.parse(JSON.parse(text));
    return folder === "testkit" || manifest.private ? [] : Object.keys(manifest.dependencies);
  });
  return new Set(names.filter((name) => !name.startsWith("@callboard/")));
}

function described(): readonly string[] {
  const text = readFileSync(new URL("docs/threat-model.md", root), "utf8");
  const [, section = ""] = text.split("## Third-party packages in production");
  const rows = section.split("\n").filter((line) => line.startsWith("| `"));
  const cells = rows.map((row) => row.split("|")[1] ?? "");
  return cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
}

it("lists the third-party packages of production", () => {
  expect(new Set(described())).toEqual(installed());
});
