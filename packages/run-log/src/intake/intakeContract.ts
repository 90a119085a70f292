/** The interface of an intake: its options, what it returns for a line, and its report. Types only. */

import type { SplitLine } from "../lines/lineSplitter.js";
import type { RunEvent } from "../log/events/index.js";
import type { Fields } from "../values/fields.js";
import type { DialectName } from "./dialects.js";
import type { IntakeFinding } from "./findings.js";

export interface IntakeOptions {
  /** If omitted, the dialect is detected from the first line that only one dialect can write. */
  readonly dialect?: DialectName;
  /** The id of the session, if the stream names none. */
  readonly sessionId: string;
  /** The time of a line that has none, in milliseconds since the epoch. */
  readonly clock: () => number;
  /** The start of a recording whose lines have times relative to it, in milliseconds. */
  readonly startedAt?: number;
  /**
   * A part of the ids of runs that the stream does not name. Without it, reading the same stream again gives the same
   * ids; with its own value, a stream that continues a session gives new ones.
   */
  readonly runMark?: string;
  /** The person's request, for streams without it: the first message of the session. */
  readonly prompt?: string;
}

/** New events of one session, in order. They may belong to several runs, one after the other. */
export interface TakenEvents {
  readonly sessionId: string;
  readonly events: readonly RunEvent[];
}

export interface Taken {
  readonly sessions: readonly TakenEvents[];
  readonly findings: readonly IntakeFinding[];
}

export interface SessionReport {
  readonly sessionId: string;
  readonly dialect: DialectName;
  readonly runs: number;
  readonly calls: number;
  /** Calls that the other side left open. */
  readonly closedByUs: number;
  readonly findings: number;
}

export interface Intake {
  /** One line without its line break. */
  push(line: string): Taken;
  /** A line as a splitter gives it: one that is too long is a finding. */
  take(line: SplitLine): Taken;
  /** A message that is already parsed. `isSent`: it was sent to the agent, not by it. */
  admit(value: Fields, isSent?: boolean): Taken;
  /** To be called once, when the stream has ended. Closes what is open. */
  end(): Taken;
  readonly dialect: DialectName | undefined;
  /** Lines so far. */
  readonly lines: number;
  sessions(): readonly SessionReport[];
}
