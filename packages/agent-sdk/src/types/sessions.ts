/** Where an agent keeps its sessions. A session is a conversation: the logs of its runs, in order. */
import type { LogStore, RunEvent, RunId } from "@callboard/run-log";
import type { AnswerRequest } from "../sessions/sessionRequests.js";

/** One open session. It is this process's alone until it is closed. */
export interface SessionLog extends LogStore {
  readonly sessionId: string;
  /** The runs of the session in the order of their starts. */
  runIds(): Promise<readonly RunId[]>;
  /**
   * All events, run after run in the order of their starts, a page at a time; those of runs that have ended
   * without their deltas. The one way to open a log.
   */
  history(): AsyncIterable<readonly RunEvent[]>;
  /** Receives requests of other programs on the same home until the session is closed. Absent if there are none. */
  onRequest?(answer: AnswerRequest): void;
  /** Releases the session; waits for what is being written. */
  close(): Promise<void>;
}

/** One line of a list of sessions. */
export interface SessionSummary {
  readonly sessionId: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** The first words of the user. */
  readonly title: string;
  readonly runs: number;
  /** The working folder of its agent when it started, if that is known. */
  readonly folder?: string;
}

export interface OpenSessionOptions {
  /** Runs that an ended process left open stay open and can be resumed. Their calls and messages do not. */
  readonly keepRunsOpen?: boolean;
  /**
   * The events come from another program's stream or file, which is read again from its start after a crash: runs that
   * an ended process left open stay unchanged, for the rest of them.
   */
  readonly isCopy?: boolean;
  /** Where the agent works: kept with a session that has none yet. */
  readonly folder?: string;
}

/** A store of sessions. */
export interface SessionStore {
  /**
   * Opens a session, or creates it. A session that another process holds is refused. Open items of an ended process are
   * closed as interrupted, in the store, before this resolves.
   */
  open(sessionId: string, options?: OpenSessionOptions): Promise<SessionLog>;
  list(): Promise<readonly SessionSummary[]>;
  remove(sessionId: string): Promise<void>;
}
