/**
 * The errors of the store, by type, so that a program can act on them. Each message contains what to do next. A conflict
 * of positions is not an error: that is a result of the log.
 */

import type { LockHolder } from "@callboard/agent-sdk/sessions";
import { messageOfError } from "@callboard/run-log/values";
import type { ForeignContents } from "./migrations/foreignContents.js";

/** The database stores only UUIDs. */
export class IdRefusedError extends Error {
  override readonly name = "IdRefusedError";

  constructor(what: string, text: string) {
    const shown = JSON.stringify(text.slice(0, 80));
    super(
      `${shown} cannot be the id of a ${what}: use a UUID in lower case, as randomUUID() gives it`,
    );
  }
}

/** A page was requested after a mark that no page ended with. */
export class PageMarkError extends Error {
  override readonly name = "PageMarkError";
  /** The parameter that contained it. */
  readonly field: string;

  constructor(field: string) {
    super("It is not the `next` of a page. Omit it to start from the first page.");
    this.field = field;
  }
}

/** Another process has the folder of an embedded database open. */
export class FolderInUseError extends Error {
  override readonly name = "FolderInUseError";
  readonly folder: string;
  readonly holder: LockHolder | undefined;

  constructor(folder: string, holder: LockHolder | undefined) {
    super(
      `the database in ${folder} is in use by ${lockHolderName(holder)}. One process at a time can have it: end that one, give this one another folder, or let both use a server by DATABASE_URL`,
    );
    this.folder = folder;
    this.holder = holder;
  }
}

function lockHolderName(holder: LockHolder | undefined): string {
  if (!holder) return "another process";
  const self = holder.pid === process.pid ? ", which is this one" : "";
  return `process ${holder.pid}${self}, since ${new Date(holder.lockedAt).toISOString()}`;
}

/** Another node owns the run. The events are not in its log. */
export class FencedError extends Error {
  override readonly name = "FencedError";
  readonly runId: string;

  constructor(runId: string, why = "another node took it over") {
    super(
      `this node no longer owns run ${runId}: ${why}. Nothing more of it is written from here; follow it by its log`,
    );
    this.runId = runId;
  }
}

/** The log is complete; nothing can follow. */
export class RunClosedError extends Error {
  override readonly name = "RunClosedError";

  constructor(runId: string) {
    super(`run ${runId} has ended: start another one`);
  }
}

/** The session runs on another node at this moment, or another program sends a run of it. */
export class SessionBusyError extends Error {
  override readonly name = "SessionBusyError";

  constructor(sessionId: string, owner?: string) {
    super(
      owner === undefined
        ? `session ${sessionId} has a run of another program that has not ended: wait for its end`
        : `session ${sessionId} has a run on node ${owner}: wait for its end, or cancel it`,
    );
  }
}

/** Another node continued the session after it was opened here. */
export class SessionMovedError extends Error {
  override readonly name = "SessionMovedError";

  constructor(sessionId: string) {
    super(`session ${sessionId} was continued elsewhere since it was opened here: open it again`);
  }
}

/** There is none, or this user may not change it. Which of the two is not reported. */
export class SessionUnknownError extends Error {
  override readonly name = "SessionUnknownError";

  constructor(sessionId: string) {
    super(`there is no session ${sessionId} that this user may change`);
  }
}

/** The database did not answer, and trying again did not help. */
export class StoreUnreachableError extends Error {
  override readonly name = "StoreUnreachableError";

  constructor(seconds: number, cause: unknown) {
    const why = messageOfError(cause);
    super(
      `Writing to the database failed for ${seconds} s: ${why}. The last events may or may not be stored. Check that the database server is running, then read the run's log.`,
      { cause },
    );
  }
}

/** The database has no schema of Callboard yet, or an older one, and contains other data: an operator must agree. */
export class ForeignDatabaseError extends Error {
  override readonly name = "ForeignDatabaseError";
  readonly contents: ForeignContents;

  constructor(contents: ForeignContents) {
    const { tables, functions } = contents;
    const all = [...tables, ...functions];
    const shown = all.slice(0, 5).join(", ");
    const more = all.length > 5 ? ` and ${all.length - 5} more` : "";
    super(
      `the database contains ${tables.length} tables and ${functions.length} functions that are not Callboard's (${shown}${more}). Callboard would add tables and functions named cx_* beside them and change nothing else. See the statements with "callboard db plan", then run "callboard db migrate"`,
    );
    this.contents = contents;
  }
}

/** A store could not be opened; the message contains what to check. */
export class StoreOpenError extends Error {
  override readonly name = "StoreOpenError";
}

/** The disk of the database is full. The events are not in the log. */
export class StoreFullError extends Error {
  override readonly name = "StoreFullError";

  constructor(cause: unknown) {
    const why = messageOfError(cause);
    super(
      `the database has no room left: ${why}. Nothing can be stored until there is; free space on its disk, or delete old conversations with callboard db purge`,
      { cause },
    );
  }
}

/** The user may see the conversation and may not do this with it. */
export class NotAllowedError extends Error {
  override readonly name = "NotAllowedError";
  /** PostgreSQL's own for a refusal. */
  readonly code = "42501";
}

/** The store was closed and is used after that. */
export class StoreClosedError extends Error {
  override readonly name = "StoreClosedError";

  constructor() {
    super("the store is closed: open it again");
  }
}
