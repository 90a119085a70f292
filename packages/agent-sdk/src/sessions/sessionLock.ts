/**
 * One process at a time holds a session: `<session>/lock` names it. A lock appears whole or not at
 * all (a finished file is linked to its name). The lock of an ended process is succeeded, not deleted:
 *
 * lock = S, dead  →  link lock.after-S (one process can)  →  lock is still S?  →  rename over lock
 *
 * A process that replaces S must hold `lock.after-S`; a successor that ended on the way is itself succeeded
 * under `lock.after-<its token>`. So every lock has at most one living successor, however many race.
 */

import {
  closeSync,
  fstatSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { isFileMissing, systemCodeOf } from "@callboard/run-log/values";
import { createLockHolder, isAlive, type LockHolder, lockHolderIn } from "./lockHolder.js";
import { SessionLockedError } from "./sessionErrors.js";

export interface SessionLock {
  /** Releases the session; does nothing if the lock file is not this lock. */
  release(): void;
}

/** The content of a lock file. `holder` is undefined when the file is unreadable (power loss); such a lock is stale. */
interface Claim {
  readonly token: string;
  readonly holder: LockHolder | undefined;
}

const mostAttempts = 100;
const held = new Set<SessionLock>();

/** Never waits: throws `SessionLockedError` if a living process holds the session. */
export function acquireSessionLock(folder: string, sessionId: string, now: number): SessionLock {
  const holder = createLockHolder(now);
  const lock = join(folder, "lock");
  const finished = join(folder, `lock.new-${holder.token}`);
  writeFileSync(finished, `${JSON.stringify(holder)}\n`, { flag: "wx", mode: 0o600 });
  try {
    for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
      if (isLinked(finished, lock)) return heldLock(folder, holder.token);
      const claim = claimAt(lock);
      if (!claim) continue;
      refuseLiving(claim, sessionId);
      if (isTakenOver(folder, sessionId, finished, claim)) return heldLock(folder, holder.token);
    }
  } finally {
    rmSync(finished, { force: true });
  }
  throw new SessionLockedError(sessionId, undefined);
}

/** The living process that holds the session now; it locks and changes nothing. */
export function livingHolder(folder: string): LockHolder | undefined {
  const holder = claimAt(join(folder, "lock"))?.holder;
  return holder !== undefined && isAlive(holder) ? holder : undefined;
}

function isTakenOver(folder: string, sessionId: string, finished: string, stale: Claim): boolean {
  const lock = join(folder, "lock");
  let last = stale;
  for (;;) {
    const marker = join(folder, `lock.after-${last.token}`);
    if (isLinked(finished, marker)) {
      const isStillStale = claimAt(lock)?.token === stale.token;
      if (isStillStale) renameSync(finished, lock);
      else rmSync(marker);
      return isStillStale;
    }
    const successor = claimAt(marker);
    if (!successor) return false;
    refuseLiving(successor, sessionId);
    last = successor;
  }
}

function refuseLiving({ holder }: Claim, sessionId: string): void {
  if (holder && isAlive(holder)) throw new SessionLockedError(sessionId, holder);
}

function heldLock(folder: string, token: string): SessionLock {
  sweep(folder, token);
  const path = join(folder, "lock");
  const lock: SessionLock = {
    release() {
      held.delete(lock);
      if (held.size === 0) process.off("exit", releaseAll);
      if (claimAt(path)?.token === token) rmSync(path);
    },
  };
  if (held.size === 0) process.on("exit", releaseAll);
  held.add(lock);
  return lock;
}

function releaseAll(): void {
  for (const lock of [...held]) lock.release();
}

/** Removes what ended processes left on their way to the lock, and this one's own marker. */
function sweep(folder: string, ownToken: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith("lock.after-") && !name.startsWith("lock.new-")) continue;
    const path = join(folder, name);
    const claim = claimAt(path);
    if (!claim) continue;
    // An unreadable new file may be one that is being written.
    const isDead = claim.holder ? !isAlive(claim.holder) : name.startsWith("lock.after-");
    if (isDead || claim.token === ownToken) rmSync(path, { force: true });
  }
}

/** Links a finished file to a name that does not exist yet. */
function isLinked(finished: string, name: string): boolean {
  try {
    linkSync(finished, name);
    return true;
  } catch (error) {
    if (systemCodeOf(error) === "EEXIST") return false;
    throw error;
  }
}

function claimAt(path: string): Claim | undefined {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
  try {
    const holder = holderIn(readFileSync(file, "utf8"));
    const { ino, mtimeMs } = fstatSync(file);
    return { holder, token: holder?.token ?? `unreadable-${ino}-${Math.round(mtimeMs)}` };
  } finally {
    closeSync(file);
  }
}

function holderIn(text: string): LockHolder | undefined {
  try {
    return lockHolderIn(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
