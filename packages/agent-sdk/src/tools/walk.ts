/**
 * The files below a folder, in order, with a bound on their number. Links are named but never followed, so it cannot
 * leave the folder or loop. Generated and foreign folders are skipped. The folder is a real path.
 */

import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { systemCodeOf } from "@callboard/run-log/values";
import { withHeldFolder } from "../system/heldFolder.js";

export interface FoundEntry {
  readonly path: string;
  /** Relative to the folder where the walk started, with forward slashes. */
  readonly relativePath: string;
  readonly type: "file" | "folder" | "link" | "other";
}

export interface Walk {
  readonly entries: AsyncIterable<FoundEntry>;
  /** What was not read, known at the end: too many entries, unreadable folders. */
  readonly notes: () => readonly string[];
}

export const skippedFolders: ReadonlySet<string> = new Set(["node_modules", ".git"]);
const maxEntries = 100_000;

export function walkFolder(root: string, signal: AbortSignal): Walk {
  let seen = 0;
  const unreadable: string[] = [];

  async function* entriesOf(folder: string, prefix: string): AsyncGenerator<FoundEntry> {
    signal.throwIfAborted();
    for (const entry of await sortedEntries(folder, prefix, unreadable)) {
      if (seen >= maxEntries) return;
      seen += 1;
      const path = join(folder, entry.name);
      const relativePath = prefix + entry.name;
      const type = typeOf(entry);
      yield { path, relativePath, type };
      if (type === "folder" && !skippedFolders.has(entry.name)) {
        yield* entriesOf(path, `${relativePath}/`);
      }
    }
  }

  return {
    entries: entriesOf(root, ""),
    notes: () => [
      ...(seen >= maxEntries ? [`only the first ${maxEntries} entries were looked at`] : []),
      ...(unreadable.length > 0 ? [`${unreadable.length} folders may not be read`] : []),
    ],
  };
}

export async function sortedEntries(folder: string, prefix: string, unreadable: string[]) {
  try {
    const entries = await withHeldFolder(folder, {}, (place) =>
      readdir(place(""), { withFileTypes: true }),
    );
    return entries.sort((left, right) => (left.name < right.name ? -1 : 1));
  } catch (error) {
    // Below the root a folder may vanish or be closed to us; the root itself must be readable.
    const code = systemCodeOf(error);
    if (prefix === "" || (code !== "EACCES" && code !== "EPERM" && code !== "ENOENT")) throw error;
    unreadable.push(prefix);
    return [];
  }
}

export function typeOf(entry: {
  isFile(): boolean;
  isDirectory(): boolean;
  isSymbolicLink(): boolean;
}): FoundEntry["type"] {
  if (entry.isFile()) return "file";
  if (entry.isDirectory()) return "folder";
  return entry.isSymbolicLink() ? "link" : "other";
}
