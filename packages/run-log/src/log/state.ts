/**
 * The state of a run after some prefix of its log. Only `evolve` creates states; they are immutable. Open items are
 * complete, closed items are an outline.
 */
import type { CallState } from "./callState.js";
import type { ContextSize } from "./events/contextEvents.js";
import type { Usage } from "./events/envelope.js";
import type { MessageRole } from "./events/messageEvents.js";
import type { RunOutcome } from "./events/runEvents.js";
import type { CallId, ConversationId, MessageId, PartId, RunId } from "./ids.js";
import { createLedger, entryOf, type Ledger } from "./ledger.js";
import type { QueuedMessage } from "./queue.js";

/** A message as the fold has it. */
export interface MessageState {
  readonly status: "open" | "closed";
  readonly messageId: MessageId;
  readonly role: MessageRole;
  readonly parentCallId?: CallId;
  /** At most one part of a message is open at a time. */
  readonly openPartId?: PartId;
}

/** The kinds of parts of a message. */
export type PartKind = "text" | "reasoning" | "image";

/** A part of a message as the fold has it. */
export type PartState =
  | {
      readonly status: "open";
      readonly messageId: MessageId;
      readonly kind: PartKind;
      readonly startedAt: number;
      /** The text so far. Only append to it; reading it costs its length. */
      readonly text: string;
    }
  | { readonly status: "closed"; readonly messageId: MessageId; readonly kind: PartKind };

interface Counted {
  /** The last position of the log that was folded in; 0 before the first event. */
  readonly seq: number;
  /** How many events so far did not fit. 0 for every log that `decide` wrote. */
  readonly faultCount: number;
}

interface RunBody extends Counted {
  readonly runId: RunId;
  readonly conversationId: ConversationId;
  readonly model: string;
  readonly startedAt: number;
  readonly messages: Ledger<MessageId, MessageState>;
  readonly parts: Ledger<PartId, PartState>;
  readonly calls: Ledger<CallId, CallState>;
  readonly usage: Usage;
  /** Waiting messages; absent if there are none. */
  readonly queue?: readonly QueuedMessage[];
  /** Since when the run waits for an answer and needs no process; absent while one works on it. */
  readonly parkedAt?: number;
  /** How full the context of the run's own model was when it was last known. */
  readonly context?: ContextSize;
  /** The span that the run works for; absent if it is in no trace. */
  readonly traceparent?: string;
}

/** Everything that follows from the events of a run so far. */
export type RunState =
  | (Counted & { readonly status: "unstarted" })
  | (RunBody & { readonly status: "open" })
  | (RunBody & {
      readonly status: "closed";
      readonly outcome: RunOutcome;
      readonly closedAt: number;
    });

/** The state of a run that has started and not ended. */
export type OpenRun = Extract<RunState, { status: "open" }>;

/** The state before the first event. */
export const initialState: RunState = { status: "unstarted", seq: 0, faultCount: 0 };

/** A usage of zero tokens. */
export const noUsage: Usage = { inputTokens: 0, outputTokens: 0 };

export function bodyOf(
  first: Omit<RunBody, "messages" | "parts" | "calls" | "usage">,
): RunBody & { readonly status: "open" } {
  return {
    ...first,
    status: "open",
    messages: createLedger(),
    parts: createLedger(),
    calls: createLedger(),
    usage: noUsage,
  };
}

/** How long a run has lasted at a moment. A clock that was set back in between makes nothing negative. */
export function elapsedMs(run: RunState, at: number): number {
  return run.status === "unstarted" ? 0 : Math.max(0, at - run.startedAt);
}

/** The call with this id, open or ended. */
export function callOf(state: RunState, callId: CallId): CallState | undefined {
  return state.status === "unstarted" ? undefined : entryOf(state.calls, callId);
}

/** The message with this id, open or closed. */
export function messageOf(state: RunState, messageId: MessageId): MessageState | undefined {
  return state.status === "unstarted" ? undefined : entryOf(state.messages, messageId);
}

/** The part with this id, open or closed. */
export function partOf(state: RunState, partId: PartId): PartState | undefined {
  return state.status === "unstarted" ? undefined : entryOf(state.parts, partId);
}

/** The calls that still wait for their closing, in the order of their opening. */
export function openCallsOf(state: RunState): readonly CallState[] {
  return state.status === "unstarted" ? [] : [...state.calls.open.values()];
}
