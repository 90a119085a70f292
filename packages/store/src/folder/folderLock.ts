/**
 * The folder of an embedded database is one process's at a time. PGlite itself does not see to that: a
 * second process would open the same files and lose what it commits.
 */
import { SessionLockedError } from "@callboard/agent-sdk";
import { acquireSessionLock, type SessionLock } from "@callboard/agent-sdk/sessions";
import { FolderInUseError } from "../errors.js";

/** Never waits: throws a FolderInUseError that names the holder. */
export function lockFolder(folder: string, now: number): SessionLock {
  try {
    return acquireSessionLock(folder, folder, now);
  } catch (error) {
    if (error instanceof SessionLockedError) throw new FolderInUseError(folder, error.holder);
    throw error;
  }
}
