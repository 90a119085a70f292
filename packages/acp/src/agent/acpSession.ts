/** What an editor can do with a session, in either version of the protocol. */
import type { WaitingMessage } from "@callboard/agent-sdk";
import type { PromptInput } from "@callboard/run-log/intake";
import type { Chosen } from "./configOptions.js";
import type { QueueEdit, Steered } from "./promptQueue.js";
import type { RunEnd } from "./runFollower.js";
import type { SessionPlace } from "./sessionPlaces.js";
import type { OfferedCommand } from "./slashCommands.js";

export interface PromptProgress {
  /** v2: the id under which the client sees the user's message. */
  readonly messageId: Promise<string>;
  readonly end: Promise<RunEnd>;
}

/** A model or an effort is chosen after what runs. */
export interface AcpSession extends Chosen {
  readonly sessionId: string;
  readonly place: SessionPlace;
  /** What can be typed with a slash. */
  readonly commands: readonly OfferedCommand[];
  /** A prompt that comes while another one runs waits for its end. */
  prompt(input: PromptInput): PromptProgress;
  /** Tells the running model something. Where nothing runs it begins a turn, unless `isOwned`: then it does nothing. */
  steer(input: PromptInput, isOwned: boolean): Steered;
  /** The messages that wait, oldest first. */
  readonly queue: readonly WaitingMessage[];
  editQueued(messageId: string, edit: QueueEdit): void;
  removeQueued(messageId: string): void;
  cancel(): void;
  cancelCall(toolCallId: string): boolean;
  setTitle(title: string): void;
  /** Whether the session has a run that waits for answers and can go on here. */
  readonly hasLeftRun: boolean;
  /**
   * Tells the calls of a run that was left, and goes on with it: the client is asked again. For when the client has the
   * answer to its request for the session.
   */
  resumeRun(): void;
  /** Does some work on the stored session: after what runs, while nobody has it open. */
  released<Value>(work: () => Promise<Value>): Promise<Value>;
  close(): Promise<void>;
}
