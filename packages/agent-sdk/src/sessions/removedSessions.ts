/**
 * Marks of sessions that were removed from a home, for a program that keeps copies of them: it removes its copy, then
 * the mark. Without a mark a folder that is not there, such as one of a disk that is not mounted, means nothing.
 */
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { namesIn, sessionsRoot } from "./sessionFolder.js";

/** The folder of the marks within that of the sessions. */
export const removedMarks = ".gone";

export async function markRemoved(home: string, sessionId: string): Promise<void> {
  const folder = join(sessionsRoot(home), removedMarks);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, sessionId), "", { mode: 0o600 });
}

export function markedRemoved(home: string): Promise<readonly string[]> {
  return namesIn(join(sessionsRoot(home), removedMarks));
}

export async function unmarkRemoved(home: string, sessionId: string): Promise<void> {
  await rm(join(sessionsRoot(home), removedMarks, sessionId), { force: true });
}
