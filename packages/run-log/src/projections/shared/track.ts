/**
 * One call as a board draws it: the state that people read, the phases of its time, and its events. Plain data;
 * `trackSteps.ts` updates it.
 */
import { askedPerson } from "../../asking/askedPerson.js";
import type { AmendedInput } from "../../log/callState.js";
import type {
  ApprovalOption,
  CallDisplay,
  CallOpener,
  CallOutcome,
  Diff,
  Location,
  ToolType,
} from "../../log/events/callEvents.js";
import type { Image, Usage } from "../../log/events/envelope.js";
import type { CallId, MessageId, RunId } from "../../log/ids.js";
import type { JsonObject, JsonValue } from "../../values/json.js";

/** `stopped` is a call that was cancelled or interrupted; every other failure is `failed`. */
export const trackStates = [
  "arguments",
  "approval",
  "queued",
  "running",
  "done",
  "failed",
  "stopped",
] as const;
export type TrackState = (typeof trackStates)[number];

/** Times in milliseconds since the epoch; `to` is absent while the phase lasts. */
export interface TrackPhase {
  readonly kind: "arguments" | "approval" | "queued" | "running";
  readonly from: number;
  readonly to?: number;
}

export interface TrackApproval {
  readonly approvalId: string;
  readonly options: readonly ApprovalOption[];
  readonly reason?: string;
  readonly expiresAt?: number;
}

/** Who executes the call outside of the agent: `client`, or `user` for a question of the model. */
export interface TrackDelegation {
  readonly to: string;
  readonly expiresAt?: number;
}

export interface TrackStep {
  readonly at: number;
  readonly step: string;
  readonly data?: JsonObject;
}

export interface CallTrack {
  readonly runId: RunId;
  readonly callId: CallId;
  readonly messageId: MessageId;
  readonly parentCallId?: CallId;
  readonly toolName: string;
  readonly toolType: ToolType;
  readonly openedBy: CallOpener;
  readonly iteration: number;
  readonly kind?: string;
  readonly title?: string;
  /** How the tool wants to be shown. */
  readonly display?: CallDisplay;
  readonly state: TrackState;
  readonly phases: readonly TrackPhase[];
  readonly openedAt: number;
  readonly closedAt?: number;
  /** The last sign of activity of the call; absent once it has ended. */
  readonly lastSignAt?: number;
  /** The argument text so far. Only append to it; reading it costs its length. */
  readonly inputText: string;
  readonly input?: JsonValue;
  /** The arguments that the call runs with, if a person or a hook changed them. */
  readonly amendedInput?: AmendedInput;
  /** Why the arguments could not be read. */
  readonly inputProblem?: string;
  /** Set while an answer is awaited. */
  readonly approval?: TrackApproval;
  /** Set while the result is awaited from outside. */
  readonly delegation?: TrackDelegation;
  /** It runs in the background: its model does not wait for it. */
  readonly isDetached?: true;
  /** The latest report. */
  readonly message?: string;
  readonly percent?: number;
  readonly steps: readonly TrackStep[];
  readonly preview?: string;
  /** The output so far; the closing replaces it by the whole. Only append to it. */
  readonly outputText: string;
  readonly outputType?: "text" | "json";
  readonly locations: readonly Location[];
  readonly images: readonly Image[];
  readonly diffs: readonly Diff[];
  readonly terminalId?: string;
  readonly outcome?: CallOutcome;
  readonly error?: { readonly type: string; readonly message: string };
  readonly summary?: string;
  readonly exitCode?: number;
  readonly usage?: Usage;
  readonly retries: number;
  /** When it was tried again, as far as the log has kept it. */
  readonly retriedAt?: readonly number[];
  readonly persistKey?: string;
  readonly filePath?: string;
}

/** How long the call has been in a kind of phase, up to `now` for an open one. Never negative. */
export function msIn(track: CallTrack, kind: TrackPhase["kind"], now: number): number {
  return track.phases.reduce((sum, phase) => {
    if (phase.kind !== kind) return sum;
    return sum + Math.max(0, (phase.to ?? now) - phase.from);
  }, 0);
}

/** Whether it had started when it was asked about: only whether it runs again is asked, with the same arguments. */
export function hasStartedBefore({ phases }: CallTrack): boolean {
  return phases.some(({ kind }) => kind === "running");
}

/** Whether the call asks the person something and waits for the answer. */
export function isAskingPerson({ delegation }: CallTrack): boolean {
  return delegation?.to === askedPerson;
}
