/**
 * What the server needs of a store to start, follow and find runs. Each query names its caller, so that the store
 * applies that user's rights.
 */
import type { SessionStore } from "@callboard/agent-sdk";
import type { RunEvent } from "@callboard/run-log";
import type {
  Access,
  CallOutput,
  KeptOutputs,
  MessageRun,
  QueuedAsks,
  RunFacts,
  RunOutline,
  RunSetup,
  Viewer,
} from "@callboard/store";

export { type CallOutput, isAtLeast, type RunFacts, type Viewer } from "@callboard/store";

export interface RunStore {
  /**
   * Where agents that work for this user store their conversations. With `isTold`, webhooks report the runs that start
   * there. `setup` is stored with their start.
   */
  sessions(
    user: Viewer,
    options?: {
      readonly isTold: boolean;
      readonly setup?: RunSetup | undefined;
      /** Hears how many bytes the logs of an opened conversation have. */
      readonly onOpened?: (storedBytes: number) => void;
    },
  ): SessionStore;
  /** A run that the viewer may see. */
  findRun(viewer: Viewer, runId: string): Promise<RunFacts | undefined>;
  /** The viewer's rights on a conversation: undefined if it does not exist or is not visible. */
  accessOf(viewer: Viewer, conversationId: string): Promise<Access | undefined>;
  /** Those among them that the viewer may still see. */
  visibleConversations(
    viewer: Viewer,
    conversationIds: readonly string[],
  ): Promise<ReadonlySet<string>>;
  /** Whether a conversation of this id exists, for any user, also a deleted one. */
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
  /** For callers whose permission was checked: these check no more. */
  read(
    runId: string,
    range: { readonly after: number; readonly limit: number },
  ): Promise<readonly RunEvent[]>;
  /** The state of a run and the progress of its open calls: constant memory for any length of the run. */
  outline(runId: string): Promise<RunOutline | undefined>;
  /** What is known of a call's output; undefined if the call has none, or the viewer may not see it. */
  callOutput(viewer: Viewer, runId: string, callId: string): Promise<CallOutput | undefined>;
  /** Whole outputs that every node reads. Absent if there is one node. */
  readonly keptOutputs?: KeptOutputs | undefined;
  /** The settings of waiting messages, so that any node starts their runs. */
  readonly queuedAsks: QueuedAsks;
  /** The position of a message in its conversation; 0 if it is not there. */
  messagePosition(messageRowId: string): Promise<number>;
  /** The run that has a message of the user, unless another run took its place. */
  runOfMessage(conversationId: string, messageId: string): Promise<MessageRun | undefined>;
  /** The stored events after a position and later ones, from any node, until the run closes. */
  tail(runId: string, range: { readonly after: number }): AsyncIterable<RunEvent>;
  /** How far runs are, for those that are there. */
  lastSeqs(runIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Requests the node that runs it to stop it. The request is stored until that node has read it. */
  askToCancel(runId: string): Promise<void>;
  /** Called for a run of this node that must be stopped, possibly more than once. */
  onCancelRequested(listener: (runId: string) => void): () => void;
  /** Told of a run that this node may no longer write: its lease ended, or another node has it. */
  onLost(listener: (runId: string) => void): () => void;
  /** Told of each conversation that retention deleted: its files go too. */
  onPurged(listener: (conversationId: string) => void): () => void;
  /** Takes over runs whose lease expired: what they left open is closed; the open runs belong to this node now. */
  claimOrphans(): Promise<readonly OrphanRun[]>;
  /** A parked run, without a permission check. */
  findParked(runId: string): Promise<ParkedRun | undefined>;
  /** Parked runs with an expired question, or with a cancellation. */
  dueRuns(): Promise<readonly DueRun[]>;
  /** Ended runs whose waiting messages have no run yet, because their node is gone or was hindered. For this node, for a while. */
  claimCarrying(): Promise<readonly ParkedRun[]>;
  /** The messages that waited in an ended run have another one, or never will. */
  settleCarrying(runId: string): Promise<void>;
  /** Stores the settings of a conversation's runs, so that another node can resume them. */
  readSetup(conversationId: string): Promise<RunSetup | undefined>;
}

export interface DueRun extends ParkedRun {
  readonly isCancelAsked: boolean;
}

export type ParkedRun = Pick<RunFacts, "runId" | "conversationId" | "userId">;

export interface OrphanRun extends ParkedRun {
  readonly status: "open" | "parked" | "closed";
}
