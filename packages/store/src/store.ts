import type { LogStore, RunEvent, RunId } from "@callboard/run-log";
import type { Purged, PurgeOptions } from "./administration/purge.js";
import type { Database } from "./connections/database.js";
import type { AnswerLinks } from "./conversations/answerLinks.js";
import type { ConversationStore } from "./conversations/conversationStore.js";
import type { ForkOptions } from "./conversations/fork.js";
import type { ShareLinks } from "./conversations/shareLinks.js";
import type { Sharing } from "./conversations/sharing.js";
import type { CarryingRun, ParkedRun, RecoveredRun } from "./leases/recovery.js";
import type { Sealing } from "./live/sealing.js";
import type { Readers } from "./reading/readers.js";
import type { KeptOutputs } from "./runs/keptOutputs.js";
import type { Notices } from "./runs/notices.js";
import type { RunDirectory } from "./runs/runDirectory.js";
import type { DatabaseSessionStore } from "./sessions/sessionStore.js";

export interface Store {
  readonly nodeId: string;
  /** Embedded: nobody but this process can have it open. */
  readonly kind: "embedded" | "server";
  /** A user's sessions, for an agent. */
  /** With `isTold` the runs that begin there are among `notices` when they wait for a person or have ended. */
  sessions(options: { readonly userId: string; readonly isTold?: boolean }): DatabaseSessionStore;
  /** Logs without a session: the run's first event says which conversation it belongs to. */
  log(options: { readonly userId: string }): LogStore;
  readonly read: Readers;
  /** Conversations, for the user who asks. */
  readonly conversations: ConversationStore;
  readonly sharing: Sharing;
  readonly shareLinks: ShareLinks;
  readonly answerLinks: AnswerLinks;
  readonly notices: Notices;
  /** Whole outputs that every node reads. Absent where this process is the only one: it has their files. */
  readonly keptOutputs: KeptOutputs | undefined;
  /** Runs, for the user who asks. */
  readonly runs: RunDirectory;
  /** Copies a conversation up to a position. The new conversation's id; undefined where there is no such position. */
  fork(options: ForkOptions): Promise<string | undefined>;
  /** Asks the database for an answer: throws where it gives none, or could store nothing a moment ago. */
  ping(): Promise<void>;
  /** What is stored of a run and what comes, from whichever node, until it closes. Asks nobody's leave. */
  tail(runId: RunId, range: { readonly after: number }): AsyncIterable<RunEvent>;
  /** How many tails wait for news: 0 when every reader has left. */
  readonly waitingTails: number;
  /**
   * Takes over runs whose node is gone and closes what it left open. A run that was marked resumable
   * stays open and is this node's: go on with it, or release it.
   */
  claimOrphans(options?: { readonly limit?: number }): Promise<readonly RecoveredRun[]>;
  /** Parked runs of which a question expired, or that somebody wants cancelled: go on with them. */
  dueRuns(options?: { readonly limit?: number }): Promise<readonly ParkedRun[]>;
  /** Runs that have ended and whose waiting messages have no run yet: begin it, and settle the run then. */
  claimCarrying(options?: { readonly limit?: number }): Promise<readonly CarryingRun[]>;
  settleCarrying(runId: string): Promise<void>;
  /** A run that is parked. Checks no rights. */
  findParked(runId: string): Promise<ParkedRun | undefined>;
  /** Gives a run free that this node owns: the next one to ask for orphans gets it. */
  release(runId: string): Promise<void>;
  /** Renews the leases of this node's runs at once; they are renewed by themselves in time. */
  renew(): Promise<readonly string[]>;
  /** Asks the owner of a run to cancel it. False where no such run is open. */
  cancel(runId: string): Promise<boolean>;
  /** Called with a run of this node that somebody wants cancelled; perhaps more than once. */
  onCancelRequested(listener: (runId: string) => void): () => void;
  /** Called with a run that another node took over: nothing more of it can be written here. */
  onLost(listener: (runId: string) => void): () => void;
  /**
   * Called with each conversation that retention deleted, also with those from before anybody listened: whoever
   * keeps files of it removes them.
   */
  onPurged(listener: (conversationId: string) => void): () => void;
  /** Resolves when news of other nodes are heard. */
  readonly listening: Promise<void>;
  /** Deletes what is older or more than the options say. Gives what is gone, or what would go. */
  purge(options: PurgeOptions): Promise<Purged>;
  /** Copies an embedded database to a file as it is now; gives the file's size. A server has pg_dump. */
  backup(file: string): Promise<number>;
  /** For messages to the other nodes of this database. */
  readonly sealing: Sealing;
  /** The database itself, for what has no word here. */
  readonly database: Database;
  /** Waits for what is being written and gives every run free. */
  close(): Promise<void>;
}
