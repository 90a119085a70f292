/**
 * The errors of sessions, by type, so that a program can act on them. Each message contains what to do next. None of
 * them is thrown for a conflict of positions: that is a result, not an error.
 */
import { messageOfError } from "@callboard/run-log/values";
import type { LockHolder } from "./lockHolder.js";

/** The id could leave the sessions' folder, or is not one that this store writes. */
export class SessionIdRefusedError extends Error {
  override readonly name = "SessionIdRefusedError";

  constructor(sessionId: string) {
    const shown = JSON.stringify(sessionId.slice(0, 80));
    super(
      `${shown} is not a session id: 1 to 128 letters, digits, ".", "_" or "-", starting with a letter or digit, without ".."`,
    );
  }
}

/** The session's place is not a plain folder with a plain file: a symbolic link, say. */
export class SessionPlaceRefusedError extends Error {
  override readonly name = "SessionPlaceRefusedError";
  readonly sessionId: string;

  constructor(sessionId: string, problem: string, cause?: unknown) {
    super(`session ${sessionId} is refused: ${problem}`, { cause });
    this.sessionId = sessionId;
  }
}

/** Somebody who is alive holds the session. */
export class SessionLockedError extends Error {
  override readonly name = "SessionLockedError";
  readonly sessionId: string;
  readonly holder: LockHolder | undefined;

  constructor(sessionId: string, holder: LockHolder | undefined) {
    super(`session ${sessionId} is in use by ${holderName(holder)}: close it there first`);
    this.sessionId = sessionId;
    this.holder = holder;
  }
}

function holderName(holder: LockHolder | undefined): string {
  if (!holder) return "another process";
  const since = `since ${new Date(holder.lockedAt).toISOString()}`;
  const self = holder.pid === process.pid ? ", which is this one" : "";
  return `process ${holder.pid}${self} (${since})`;
}

/** A line of the log is not an event, or not the one that must follow. Nothing was changed. */
export class SessionBrokenError extends Error {
  override readonly name = "SessionBrokenError";
  readonly sessionId: string;
  /** From 1. */
  readonly line: number;
  readonly problem: string;

  constructor(sessionId: string, file: string, line: number, problem: string) {
    super(
      `session ${sessionId}: line ${line} of ${file} is broken: ${problem}. Nothing was changed. Fix the line, or open with { salvage: true } to keep what is before it and move the rest aside`,
    );
    this.sessionId = sessionId;
    this.line = line;
    this.problem = problem;
  }
}

/** Writing failed: what was being appended is not in the log, and nothing more will be until it is opened again. */
export class SessionWriteError extends Error {
  override readonly name = "SessionWriteError";
  readonly sessionId: string;

  constructor(sessionId: string, cause: unknown) {
    const why = messageOfError(cause);
    super(
      `Could not write session ${sessionId}: ${why}. The session accepts no more events. Fix the cause (for example a full disk), then close and reopen it.`,
      { cause },
    );
    this.sessionId = sessionId;
  }
}

/** The session was closed by its holder and is used after that. */
export class SessionClosedError extends Error {
  override readonly name = "SessionClosedError";
  readonly sessionId: string;

  constructor(sessionId: string) {
    super(`session ${sessionId} is closed: open it again`);
    this.sessionId = sessionId;
  }
}
