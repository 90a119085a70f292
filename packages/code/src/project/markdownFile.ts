/** Markdown files that say things about themselves first: `---`, lines of `name: value`, `---`, then the text. */

import { readdir, readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { systemCodeOf } from "@callboard/run-log/values";

export interface MarkdownFile {
  /** The file's name without its ending. */
  readonly name: string;
  readonly path: string;
  readonly fields: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** A name that can be typed and distinguished from words. */
export const validName = /^[a-z][a-z0-9-]{0,63}$/;
export const longestFile = 64 * 1024;

export function parsedMarkdown(text: string): Pick<MarkdownFile, "fields" | "body"> {
  const head = /^---\r?\n([\s\S]*?)\r?\n---(?:\r?\n|$)/.exec(text);
  if (head === null) return { fields: {}, body: text.trim() };
  const fields = (head[1] ?? "").split(/\r?\n/).flatMap((line): [string, string][] => {
    const [, name, value = ""] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [[name, value.trim().replace(/^(["'])(.*)\1$/, "$2")]];
  });
  return { fields: Object.fromEntries(fields), body: text.slice(head[0].length).trim() };
}

/** The files of a folder by name; those whose names cannot be typed, or that are too long, are reported. */
export async function readMarkdownFiles(
  folder: string,
  warn: (message: string) => void,
): Promise<readonly MarkdownFile[]> {
  const names = await readdir(folder).catch(missing);
  const files: MarkdownFile[] = [];
  for (const file of (names ?? []).filter((name) => name.endsWith(".md")).toSorted(byName)) {
    const path = join(folder, file);
    const name = basename(file, ".md");
    const text = await readFile(path, "utf8");
    if (!validName.test(name)) {
      warn(`${path} is not used: name it with small letters, digits and hyphens.`);
    } else if (text.length > longestFile) {
      warn(`${path} is not used: it is longer than ${longestFile / 1024} KB.`);
    } else files.push({ name, path, ...parsedMarkdown(text) });
  }
  return files;
}

function byName(one: string, other: string): number {
  return one.localeCompare(other, "en");
}

/** For a catch: undefined if there is no such file; every other failure is thrown again. */
export function missing(error: unknown): undefined {
  const code = systemCodeOf(error);
  if (code === "ENOENT" || code === "ENOTDIR") return undefined;
  throw error;
}
