import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = readdirSync(root, { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts") && !/\.test\.ts$|^testing\//.test(path))
  .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));

describe("the door", () => {
  it("is the only file that names the streams of the process, and no file uses the console", () => {
    const touching = sources.filter(({ text }) => /process\.std(out|err)|\bconsole\b/.test(text));
    expect(touching.map(({ path }) => path)).toEqual(["door/door.ts"]);
  });

  it("is the only place where escape codes are made", () => {
    const making = sources.filter(({ text }) => /\\u001b\[|\\x1b\[|\\e\[/i.test(text));
    expect(making.map(({ path }) => path)).toEqual(["door/screen.ts"]);
  });
});

/** What is loaded before a command is known; everything else is imported when it is needed. */
function loadedFrom(path: string, seen: Set<string>): Set<string> {
  if (seen.has(path)) return seen;
  seen.add(path);
  if (!path.endsWith(".ts")) return seen;
  const text = readFileSync(path, "utf8");
  for (const [, , specifier = ""] of text.matchAll(/^import (?!type )(.*? from )?"([^"]+)"/gms)) {
    const next = specifier.startsWith(".")
      ? join(path, "..", specifier.replace(/\.js$/, ".ts"))
      : specifier;
    loadedFrom(next, seen);
  }
  return seen;
}

describe("the way to --version and --help", () => {
  it("loads nothing but the parser of the command line and the colours", () => {
    const loaded = [...loadedFrom(join(root, "callboard-cli.ts"), new Set())];
    const packages = loaded.filter((name) => !name.endsWith(".ts") && !name.startsWith("node:"));
    expect(new Set(packages)).toEqual(new Set(["commander", "picocolors"]));
  });
});
