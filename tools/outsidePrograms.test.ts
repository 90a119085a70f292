/**
 * The programs outside the workspaces (benchmarks, pages of third-party clients, apps) are neither compiled nor run by
 * `npm test`. What they import from the packages must exist.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const folders = ["bench/src", "clients/src", "apps/src"];

interface Imported {
  readonly from: string;
  readonly names: readonly string[];
}

/** What a file imports by name from a module of the packages: by a path into `dist`, or by the name of the package. */
function importsOf(file: string): readonly Imported[] {
  const text = readFileSync(file, "utf8");
  const statements = text.matchAll(/^import\s+(?:\{([^}]*)\}\s+from\s+)?"([^"]+)";/gm);
  return [...statements].flatMap(([, list = "", specifier = ""]) => {
    const path = specifier.startsWith(".") ? join(dirname(file), specifier) : specifier;
    const isOurs = path.startsWith("@callboard/") || /\/packages\/[^/]+\/dist\//.test(path);
    const names = list.split(",").map((name) => name.trim().split(" as ")[0] ?? "");
    return isOurs ? [{ from: path, names: names.filter((name) => name !== "") }] : [];
  });
}

/** The source of a built module. */
const sourceOf = (built: string): string =>
  built.replace(/\/dist\//, "/src/").replace(/\.js$/, ".ts");

async function missingIn({ from, names }: Imported): Promise<readonly string[]> {
  const isPath = from.startsWith("/");
  const source = isPath ? sourceOf(from) : from;
  if (isPath && !existsSync(source)) return [relative(root, source)];
  const found: object = await import(source);
  return names.filter((name) => !(name in found)).map((name) => `${name} of ${from}`);
}

const files = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".js"))
    .map((path) => join(folder, path)),
);
const importing = files.flatMap((file) => {
  const imports = importsOf(join(root, file));
  return imports.length > 0 ? [{ file, imports }] : [];
});

it("there are such programs", () => {
  expect(importing.length).toBeGreaterThan(20);
});

it.each(importing)("$file imports what exists", async ({ imports }) => {
  const missing = await Promise.all(imports.map(missingIn));
  expect(missing.flat()).toEqual([]);
});
