/**
 * Earlier messages, to be sent again: stored in a file of the home, one JSON text a line, readable by its owner alone.
 * Moving through it is pure; a history that cannot be read or written is reported once and has no other effect.
 */

import { appendFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isFileMissing } from "@callboard/run-log/values";

const mostKept = 1_000;
/** A longer text is not stored: it was pasted, and exists elsewhere. */
const longestEntry = 20_000;
/** A file with more lines than this is rewritten with the last entries alone. */
const mostLines = 2 * mostKept;

export interface History {
  /** The latest last. */
  readonly entries: readonly string[];
  /** Which entry is shown; the number of entries where what is being written is. */
  readonly at: number;
  /** The unfinished text before moving up. */
  readonly draft: string;
}

export function historyOf(entries: readonly string[]): History {
  return { entries, at: entries.length, draft: "" };
}

/** Undefined if there is nothing further. */
export function historyAfter(
  history: History,
  step: -1 | 1,
  text: string,
): { readonly history: History; readonly text: string } | undefined {
  const { entries, at } = history;
  const draft = at === entries.length ? text : history.draft;
  const next = at + step;
  if (next < 0 || next > entries.length) return undefined;
  return { history: { entries, at: next, draft }, text: entries[next] ?? draft };
}

export function withEntry({ entries }: History, text: string): History {
  if (text.length > longestEntry) return historyOf(entries);
  const kept = entries.at(-1) === text ? entries : [...entries, text].slice(-mostKept);
  return historyOf(kept);
}

export async function readHistory(path: string): Promise<readonly string[]> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw error;
  }
  const lines = text.split("\n");
  const entries = lines.flatMap(parsedEntryOf).slice(-mostKept);
  if (lines.length > mostLines || text.length > mostKept * longestEntry) {
    await rewriteHistory(path, entries);
  }
  return entries;
}

async function rewriteHistory(path: string, entries: readonly string[]): Promise<void> {
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""), {
    mode: 0o600,
  });
  await rename(draft, path);
}

/** A line that is not a JSON text was not written by this program and is skipped. */
function parsedEntryOf(line: string): readonly string[] {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "string" && value.length <= longestEntry ? [value] : [];
  } catch {
    return [];
  }
}

export async function appendHistory(path: string, text: string): Promise<void> {
  if (text.length > longestEntry) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await appendFile(path, `${JSON.stringify(text)}\n`, { mode: 0o600 });
}
