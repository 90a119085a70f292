import type { LogStore, RunEvent, RunId } from "@callboard/run-log";
import type { Purged, PurgeOptions } from "./administration/purge.js";
import type { Database } from "./connections/database.js";
import type { AnswerLinks } from "./conversations/answerLinks.js";
import type { ConversationStore } from "./conversations/conversationStore.js";
import type { ForkOptions } from "./conversations/fork.js";
import type { QueuedAsks } from "./conversations/queuedAsks.js";
import type { RunSetup } from "./conversations/setup.js";
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
  /** Embedded: only this process can have it open. */
  readonly kind: "embedded" | "server";
  /** A user's sessions, for an agent. */
  /**
   * With `isTold` the runs that start there are among `notices` when they wait for a person or have ended. `setup`
   * contains the settings of their request: it is stored with their start, so that no node finds one without it.
   */
  sessions(options: {
    readonly userId: string;
    readonly isTold?: boolean;
    readonly setup?: RunSetup | undefined;
    /** Hears how many bytes the logs of an opened conversation have. */
    readonly onOpened?: ((storedBytes: number) => void) | undefined;
  }): DatabaseSessionStore;
  /** Logs without a session: the run's first event names its conversation. */
  log(options: { readonly userId: string }): LogStore;
  readonly read: Readers;
  /** Conversations, for the calling user. */
  readonly conversations: ConversationStore;
  readonly sharing: Sharing;
  readonly shareLinks: ShareLinks;
  readonly answerLinks: AnswerLinks;
  readonly notices: Notices;
  /** Whether the user is an account of the project, if the database has accounts (`auth.users`). */
  hasAccount(userId: string): Promise<boolean>;
  /** The settings of waiting messages. It does no permission check. */
  readonly queuedAsks: QueuedAsks;
  /** Whole outputs that every node reads. Absent if this process is the only one: it has their files. */
  readonly keptOutputs: KeptOutputs | undefined;
  /** Runs, for the calling user. */
  readonly runs: RunDirectory;
  /** Copies a conversation up to a position. Returns the new conversation's id; undefined if there is no such position. */
  fork(options: ForkOptions): Promise<string | undefined>;
  /** Checks the database: throws if it does not answer, or could store nothing a moment ago. */
  ping(): Promise<void>;
  /** The stored events of a run and later ones, from any node, until it closes. It does no permission check. */
  tail(runId: RunId, range: { readonly after: number }): AsyncIterable<RunEvent>;
  /** How many tails wait for events: 0 when every reader has left. */
  readonly waitingTails: number;
  /**
   * Takes over runs whose node stopped and closes what it left open. A run that was marked resumable stays open and
   * belongs to this node: resume it, or release it.
   */
  claimOrphans(options?: { readonly limit?: number }): Promise<readonly RecoveredRun[]>;
  /** Parked runs with an expired question or a cancellation: resume them. */
  dueRuns(options?: { readonly limit?: number }): Promise<readonly ParkedRun[]>;
  /** Runs that have ended and whose waiting messages have no run yet: start it, then settle the run. */
  claimCarrying(options?: { readonly limit?: number }): Promise<readonly CarryingRun[]>;
  settleCarrying(runId: string): Promise<void>;
  /** A run that is parked. Checks no rights. */
  findParked(runId: string): Promise<ParkedRun | undefined>;
  /** Releases a run of this node: the next node that claims orphans gets it. */
  release(runId: string): Promise<void>;
  /** Renews the leases of this node's runs at once; they are renewed by themselves in time. */
  renew(): Promise<readonly string[]>;
  /** Requests the owner of a run to cancel it. False if no such run is open. */
  cancel(runId: string): Promise<boolean>;
  /** Called for a run of this node that must be cancelled; possibly more than once. */
  onCancelRequested(listener: (runId: string) => void): () => void;
  /** Called with a run that another node took over: nothing more of it can be written here. */
  onLost(listener: (runId: string) => void): () => void;
  /**
   * Called with each conversation that retention deleted, also with those from before there was a listener: code that
   * keeps files of it removes them.
   */
  onPurged(listener: (conversationId: string) => void): () => void;
  /** Resolves when notifications of other nodes are received. */
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
