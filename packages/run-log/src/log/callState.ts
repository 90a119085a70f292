/**
 * What one tool call is, at any moment of its lifecycle.
 *
 * absent ─opened→ inputStreaming ─input.closed→ ready ─run.started→ running ─closed→ closed
 * │ ↑                 │ ↑
 * asked│ │allowed     asked│ │allowed
 * ↓ │                 ↓ │
 * awaitingApproval ─denied→ refused
 *
 * `closed` is reached from every open status. A status has only its own fields.
 */

import type { JsonValue } from "../values/json.js";
import type { CallOpener, CallOutcome, InterruptedPolicy, ToolType } from "./events/callEvents.js";
import type { ApprovalId, CallId, MessageId } from "./ids.js";

/** The whole arguments. `text` is absent if `JSON.stringify(value)` gives it. */
export type CallInput =
  | { readonly parsed: true; readonly value: JsonValue; readonly text?: string }
  | { readonly parsed: false; readonly text: string; readonly problem: string };

/** Arguments that replace those that the model sent. The call runs with them. */
export interface AmendedInput {
  readonly value: JsonValue;
  readonly by: string;
}

interface Amendable {
  readonly amendedInput?: AmendedInput;
}

interface CallIdentity {
  readonly callId: CallId;
  readonly messageId: MessageId;
  readonly toolName: string;
  readonly toolType: ToolType;
  readonly openedBy: CallOpener;
  /** The kind of the tool for editors: read, edit, execute, … */
  readonly kind?: string;
  readonly parentCallId?: CallId;
  readonly iteration: number;
  readonly openedAt: number;
}

/** `waitedMs` is the time spent waiting for approvals; it does not count as running time. */
interface Waited {
  readonly waitedMs: number;
}

/** The part of a call that runs: when it started, its output so far, its retries. */
export interface Execution {
  readonly startedAt: number;
  /** The total waiting time when execution started. */
  readonly waitedBefore: number;
  /** The output so far. Only append to it; reading it costs its length. */
  readonly outputText: string;
  readonly retries: number;
  /** Set if a client executes the call itself. */
  readonly delegation?: Delegation;
  /** Set if the call survives its process: what the process that resumes the run does with it. */
  readonly onInterrupted?: InterruptedPolicy;
  /** It runs in the background: its model does not wait for it. */
  readonly isDetached?: true;
}

interface Delegation {
  readonly to: string;
  readonly expiresAt?: number;
}

/** A call as the fold has it: its arguments, its approval, its execution and its outcome. */
export type CallState = CallIdentity &
  (
    | { readonly status: "inputStreaming"; readonly inputText: string }
    | ({
        readonly status: "ready";
        readonly input: CallInput;
        /** A person was asked and allowed it: it runs without another question. */
        readonly isAllowed?: true;
        /** The arguments were changed since the last question: they are not changed again. */
        readonly isAmended?: true;
      } & Amendable &
        Waited)
    | ({
        readonly status: "awaitingApproval";
        readonly input: CallInput;
        readonly approvalId: ApprovalId;
        readonly askedAt: number;
        readonly expiresAt?: number;
        /** Set if the approval was requested in the middle of execution. */
        readonly execution?: Execution;
      } & Amendable &
        Waited)
    | ({
        readonly status: "refused";
        readonly input: CallInput;
        readonly message: string;
        readonly execution?: Execution;
      } & Amendable &
        Waited)
    | ({
        readonly status: "running";
        readonly input: CallInput;
        readonly execution: Execution;
      } & Amendable &
        Waited)
    | ({
        readonly status: "closed";
        /** Absent only when the log lost the closing of the arguments. */
        readonly input?: CallInput;
        readonly outcome: CallOutcome;
        readonly closedAt: number;
        readonly startedAt?: number;
        /** Execution alone: without waiting, 0 if it never started. */
        readonly ranMs: number;
        readonly retries: number;
      } & Amendable &
        Waited)
  );

/** The states of a call, in the order in which it passes through them. */
export type CallStatus = CallState["status"];

export function inputTextOf(input: CallInput): string {
  return input.text ?? JSON.stringify(input.parsed ? input.value : "");
}

/** The arguments that the call runs with: as they were amended, or as they were sent. Absent if they do not parse. */
export function runInputOf(call: CallState): JsonValue | undefined {
  if (call.status === "inputStreaming") return undefined;
  if (call.amendedInput !== undefined) return call.amendedInput.value;
  return call.input?.parsed ? call.input.value : undefined;
}
