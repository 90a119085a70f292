/** What the files of a package import from elsewhere, followed from its entries as a program or a compiler would. */
import { existsSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join } from "node:path";
import { importsOf } from "../importRules.js";

/** The names of packages that are reached from some files: by their code, or by their declarations. */
export function importedPackages(entries: readonly string[]): ReadonlySet<string> {
  const open = [...entries];
  const seen = new Set<string>();
  const packages = new Set<string>();
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    for (const specifier of specifiersIn(file)) {
      if (specifier.startsWith(".")) open.push(fileOf(dirname(file), specifier, file));
      else if (!isBuiltin(specifier)) packages.add(packageOf(specifier));
    }
  }
  return packages;
}

function specifiersIn(path: string): readonly string[] {
  const text = readFileSync(path, "utf8");
  if (!path.endsWith(".d.ts")) return importsOf({ path, text });
  // Declarations also name modules inside types.
  const named = [...text.matchAll(/\bimport\("([^"]+)"\)/g)].map(([, specifier = ""]) => specifier);
  return [...importsOf({ path, text }), ...named];
}

function fileOf(folder: string, specifier: string, importer: string): string {
  const path = join(folder, specifier);
  const file = importer.endsWith(".d.ts") ? path.replace(/\.js$/, ".d.ts") : path;
  if (!existsSync(file)) throw new Error(`${importer} imports ${specifier}, which is not packed.`);
  return file;
}

/** `@scope/name/entry` is of `@scope/name`. */
function packageOf(specifier: string): string {
  return specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
}
