/** docs/errors.md names every problem of the server, every exported error class and every exit code, and no other. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const page = readFileSync("docs/errors.md", "utf8");

function section(name: string): string {
  const [, text = ""] = new RegExp(`\n## ${name}\n([\\s\\S]*?)(?=\n## |$)`).exec(page) ?? [];
  return text;
}

function firstCells(text: string): readonly string[] {
  return text.split("\n").flatMap((line) => /^\| ([^|]+) \|/.exec(line)?.slice(1) ?? []);
}

function codeWords(text: string): readonly string[] {
  return [...text.matchAll(/`([^`]+)`/g)].flatMap(([, word]) => (word === undefined ? [] : [word]));
}

function sourcesOf(folder: string): readonly string[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !/\.test\.|\/testing\/|\/scripted\//.test(path))
    .map((path) => readFileSync(path, "utf8"));
}

function found(texts: readonly string[], pattern: RegExp): readonly string[] {
  return texts.flatMap((text) => [...text.matchAll(pattern)].flatMap((match) => match.slice(1, 2)));
}

it("has every kind of problem that the server answers with", () => {
  const sources = sourcesOf("packages/server/src");
  const made = found(sources, /\bHttpProblem\(\s*[\w"=?: ]+?,\s*"([a-z-]+)"/g);
  const others = found(sources, /\b(?:modelRefused\(|kind: )"([a-z]+(?:-[a-z]+)+)"/g);
  const told = firstCells(section("HTTP")).flatMap(codeWords);
  expect(new Set(told)).toEqual(new Set([...made, ...others]));
});

/** The index of a room and, for a package, the files of its subpaths. */
function doorsOf(room: string): readonly string[] {
  const folder = `packages/${room}/exports`;
  const subpaths = existsSync(folder) ? readdirSync(folder).map((name) => `${folder}/${name}`) : [];
  return [`packages/${room}/index.ts`, ...subpaths];
}

it("has every error class that the packages export", () => {
  const rooms = ["agent-sdk/src", "client/src", "server/src", "store/src"];
  const doors = rooms.flatMap((room) => doorsOf(room)).map((path) => readFileSync(path, "utf8"));
  const named = found(doors, /^\s*(?:export \{ )?(?:type \w+, )?([A-Z]\w*Error)\b(?= \}|,$)/gm);
  const errors = readFileSync("packages/store/src/errors.ts", "utf8");
  const all = [...named, ...found([errors], /^export class (\w+Error)\b/gm)];
  const told = codeWords(section("Exceptions")).filter((word) => /^\w+Error$/.test(word));
  expect(new Set(told)).toEqual(new Set(all));
});

it("has every exit code", () => {
  const source = readFileSync("packages/code/src/headless/exitCodes.ts", "utf8");
  const codes = found([source], /^ {2}\w+: (\d+),$/gm);
  const told = firstCells(section("Exit codes")).flatMap((cell) => cell.match(/\d+/g) ?? []);
  expect(new Set(told)).toEqual(new Set(codes));
});
