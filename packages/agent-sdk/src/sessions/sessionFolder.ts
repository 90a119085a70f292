/**
 * The folder of one session: `<home>/sessions/<id>` with `log.jsonl` in it, and `tail.jsonl` while a run is
 * under way, all for their owner alone.
 * Links are refused wherever one could lead out of the home. It knows nothing of events.
 */

import { constants, type Stats } from "node:fs";
import { chmod, type FileHandle, lstat, mkdir, open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { isFileMissing, systemCodeOf } from "@callboard/run-log/values";
import { SessionPlaceRefusedError } from "./sessionErrors.js";
import { assertSessionId } from "./sessionId.js";

export const logName = "log.jsonl";
export const tailName = "tail.jsonl";

export function sessionsRoot(home: string): string {
  return join(home, "sessions");
}

/** The only place where an id becomes a path. */
export function sessionFolderOf(home: string, sessionId: string): string {
  assertSessionId(sessionId);
  return join(sessionsRoot(home), sessionId);
}

export async function makeSessionFolder(home: string, sessionId: string): Promise<string> {
  const folder = sessionFolderOf(home, sessionId);
  await mkdir(sessionsRoot(home), { recursive: true, mode: 0o700 });
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (systemCodeOf(error) !== "EEXIST") throw error;
    const { mode } = await assertPlainFolder(folder, sessionId);
    if ((mode & 0o077) !== 0) await chmod(folder, 0o700);
  }
  return folder;
}

/** Throws for a link or a file; false when there is nothing. */
export async function isPlainFolder(folder: string, sessionId: string): Promise<boolean> {
  try {
    await assertPlainFolder(folder, sessionId);
    return true;
  } catch (error) {
    if (isFileMissing(error)) return false;
    throw error;
  }
}

async function assertPlainFolder(folder: string, sessionId: string): Promise<Stats> {
  const stat = await lstat(folder);
  if (stat.isDirectory()) return stat;
  const what = stat.isSymbolicLink() ? "a symbolic link" : "not a folder";
  throw new SessionPlaceRefusedError(sessionId, `its place is ${what}`);
}

export async function openLogFile(
  folder: string,
  sessionId: string,
  access: "append" | "read",
  name: typeof logName | typeof tailName = logName,
): Promise<FileHandle> {
  const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_RDWR } = constants;
  const how = access === "append" ? O_RDWR | O_CREAT | O_APPEND : O_RDONLY;
  // A pipe in the log's place must not make the opening wait for its other end.
  const file = await open(join(folder, name), how | O_NOFOLLOW | O_NONBLOCK, 0o600).catch(
    (error: unknown) => {
      if (systemCodeOf(error) !== "ELOOP") throw error;
      throw new SessionPlaceRefusedError(sessionId, `its ${name} is a symbolic link`, error);
    },
  );
  try {
    const stat = await file.stat();
    if (!stat.isFile()) {
      throw new SessionPlaceRefusedError(sessionId, `its ${name} is not a plain file`);
    }
    if (access === "append" && (stat.mode & 0o077) !== 0) await file.chmod(0o600);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Makes new names in a folder outlive the machine's death. Windows has no such step. */
export async function flushFolder(folder: string): Promise<void> {
  if (process.platform === "win32") return;
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Empty if the folder does not exist. */
export async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw error;
  }
}
