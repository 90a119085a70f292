/** What an editor can do with a session, in either version of the protocol. */
import type { WaitingMessage } from "@callboard/agent-sdk/serving";
import type { RunEvent } from "@callboard/run-log";
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

/** A prompt of the client, and the span that it was sent for. */
export interface SentPrompt extends PromptInput {
  readonly traceparent?: string;
}

/** A model or an effort is chosen at once: the next answer of the model is given with it. */
export interface AcpSession extends Chosen {
  readonly sessionId: string;
  readonly place: SessionPlace;
  /** The slash commands. */
  readonly commands: readonly OfferedCommand[];
  /** A prompt that comes while another one runs waits for its end. */
  prompt(input: SentPrompt): PromptProgress;
  /** Sends the running model a message. If nothing runs it starts a turn, unless `isOwned`: then it does nothing. */
  steer(input: SentPrompt, isOwned: boolean): Steered;
  /** The messages that wait, oldest first. */
  readonly queue: readonly WaitingMessage[];
  editQueued(messageId: string, edit: QueueEdit): void;
  removeQueued(messageId: string): void;
  cancel(): void;
  cancelCall(toolCallId: string): boolean;
  setTitle(title: string): void;
  /** Whether the session has a run that waits for answers and can be resumed here. */
  readonly hasLeftRun: boolean;
  /**
   * Sends the calls of a run that was left open, and resumes it: the client is asked again. Called after the client has
   * the answer to its request for the session.
   */
  resumeRun(): void;
  /** The runs of the session as far as the client received them: the last may be running. */
  toldRuns(): Promise<readonly (readonly RunEvent[])[]>;
  close(): Promise<void>;
}
