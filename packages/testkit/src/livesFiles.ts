/**
 * The expected golden files: every example run in every dialect, one JSON value per line. It reads the folder and never
 * writes it; the program beside it does.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { dialects } from "./dialects.js";
import { lives } from "./lives/index.js";

export const livesFolder = fileURLToPath(new URL("../lives", import.meta.url));

/** Contents by file name. */
export function expectedFiles(): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  for (const life of lives) {
    for (const dialect of dialects) {
      const lines = dialect.linesOf(life.log).map((line) => `${line}\n`);
      files.set(`${life.name}.${dialect.name}.jsonl`, lines.join(""));
    }
  }
  return files;
}

export interface LivesDifference {
  readonly missing: readonly string[];
  readonly stale: readonly string[];
  readonly changed: readonly string[];
}

export function differenceFrom(expected: ReadonlyMap<string, string>): LivesDifference {
  const present = readdirSync(livesFolder);
  const isChanged = (name: string): boolean =>
    present.includes(name) && readFileSync(join(livesFolder, name), "utf8") !== expected.get(name);
  return {
    missing: [...expected.keys()].filter((name) => !present.includes(name)),
    stale: present.filter((name) => !expected.has(name)),
    changed: [...expected.keys()].filter(isChanged),
  };
}
