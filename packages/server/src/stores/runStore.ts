/**
 * What the server needs of a store to start, follow and find runs. Whoever asks is named in each
 * question, so that the store answers under that user's rights.
 */
import type { SessionStore } from "@callboard/agent-sdk";
import type { RunEvent } from "@callboard/run-log";
import type {
  Access,
  CallOutput,
  KeptOutputs,
  MessageRun,
  RunFacts,
  RunOutline,
  RunSetup,
  Viewer,
} from "@callboard/store";

export { type CallOutput, isAtLeast, type RunFacts, type Viewer } from "@callboard/store";

export interface RunStore {
  /**
   * Where agents that work for this user keep their conversations. With `isTold` the runs that begin there are told of
   * by webhook.
   */
  sessions(user: Viewer, options?: { readonly isTold: boolean }): SessionStore;
  /** A run that the viewer may see. */
  findRun(viewer: Viewer, runId: string): Promise<RunFacts | undefined>;
  /** What the viewer may do with a conversation: undefined where it is not there or not for them. */
  accessOf(viewer: Viewer, conversationId: string): Promise<Access | undefined>;
  /** Those among them that the viewer may still see. */
  visibleConversations(
    viewer: Viewer,
    conversationIds: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** Whether anybody has a conversation of this id, deleted ones included. */
  hasConversation(conversationId: string): Promise<boolean>;
  /** The newest runs first: of a conversation, or all of the viewer's own. */
  listRuns(
    viewer: Viewer,
    which: { readonly conversationId?: string; readonly limit: number },
  ): Promise<readonly RunFacts[]>;
  /** The oldest first, a page at a time: of a conversation, or all of the viewer's own. */
  runsInOrder(
    viewer: Viewer,
    which: {
      readonly conversationId?: string;
      /** Milliseconds since the epoch. */
      readonly since?: number;
      readonly isOpen?: boolean;
    },
  ): AsyncIterable<readonly RunFacts[]>;
  /** For whoever has been found to be allowed: these ask no more. */
  read(
    runId: string,
    range: { readonly after: number; readonly limit: number },
  ): Promise<readonly RunEvent[]>;
  /** How a run stands and what its open calls have said: constant in memory, however long the run is. */
  outline(runId: string): Promise<RunOutline | undefined>;
  /** What is known of a call's output; undefined where the call has none, or the viewer may not see it. */
  callOutput(viewer: Viewer, runId: string, callId: string): Promise<CallOutput | undefined>;
  /** Whole outputs that every node reads. Absent where there is one node. */
  readonly keptOutputs?: KeptOutputs | undefined;
  /** Where a message stands in its conversation; 0 where it is not there. */
  messagePosition(messageRowId: string): Promise<number>;
  /** The run that has a message of the user, unless another run took its place. */
  runOfMessage(conversationId: string, messageId: string): Promise<MessageRun | undefined>;
  /** What is stored after a position and what comes, whichever node writes it, until the run closes. */
  tail(runId: string, range: { readonly after: number }): AsyncIterable<RunEvent>;
  /** How far runs are, for those that are there. */
  lastSeqs(runIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Asks whichever node runs it to stop it. The wish is kept until that node hears of it. */
  askToCancel(runId: string): Promise<void>;
  /** Told of a run of this node that somebody wants stopped, perhaps more than once. */
  onCancelRequested(listener: (runId: string) => void): () => void;
  /** Told of a run that this node may no longer write: its lease ended, or another node has it. */
  onLost(listener: (runId: string) => void): () => void;
  /** Told of each conversation that retention deleted: its files go too. */
  onPurged(listener: (conversationId: string) => void): () => void;
  /** Takes over runs of dead nodes: what they left open is closed; the open ones are this node's now. */
  claimOrphans(): Promise<readonly OrphanRun[]>;
  /** A run that is parked, whoever may see it. */
  findParked(runId: string): Promise<ParkedRun | undefined>;
  /** Parked runs of which a question expired, or that somebody wants cancelled. */
  dueRuns(): Promise<readonly DueRun[]>;
  /** Ended runs whose waiting messages have no run yet, because their node is gone or was hindered. For this node, for a while. */
  claimCarrying(): Promise<readonly ParkedRun[]>;
  /** The messages that waited in an ended run have another one, or never will. */
  settleCarrying(runId: string): Promise<void>;
  /** Keeps how a conversation's runs were asked for, so that another node can go on with them. */
  keepSetup(conversationId: string, setup: RunSetup): Promise<void>;
  readSetup(conversationId: string): Promise<RunSetup | undefined>;
}

export interface DueRun extends ParkedRun {
  readonly isCancelAsked: boolean;
}

export type ParkedRun = Pick<RunFacts, "runId" | "conversationId" | "userId">;

export interface OrphanRun extends ParkedRun {
  readonly status: "open" | "parked" | "closed";
}
