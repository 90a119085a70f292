/** The last line of a headless run: how it ended, and with which exit code the process ends. */

import type { RunOutcome, Usage } from "@callboard/run-log";
import { messageOfError, withoutUndefined } from "@callboard/run-log/values";
import { type ExitCode, exitCodeOf, exitCodeOfError } from "./exitCodes.js";
import type { Stop } from "./stops.js";
import { emptyTally, failedCallsIn, type Tally } from "./tally.js";

export interface Result {
  readonly type: "result";
  readonly exitCode: ExitCode;
  readonly outcome: RunOutcome;
  readonly reason?: string;
  /** The assistant's last words. */
  readonly text: string;
  readonly sessionId?: string;
  readonly runId?: string;
  readonly model?: string;
  readonly calls: Tally["calls"];
  readonly usage: Usage;
  readonly durationMs: number;
}

export interface ResultParts {
  readonly tally: Tally;
  readonly sessionId: string | undefined;
  readonly durationMs: number;
  readonly failOnToolError: boolean;
}

/** How a process ends, and why. */
export type Verdict = Pick<Result, "exitCode" | "outcome"> & {
  readonly reason?: string | undefined;
};

function headlessResultOf(verdict: Verdict, { tally, sessionId, durationMs }: ResultParts): Result {
  const { exitCode, outcome, reason } = verdict;
  const { runId, model, text, calls, usage } = tally;
  return {
    type: "result",
    exitCode,
    outcome,
    ...withoutUndefined({ reason }),
    text,
    ...withoutUndefined({ sessionId, runId, model }),
    calls,
    usage,
    durationMs,
  };
}

export function stoppedResult(stop: Stop, parts: ResultParts): Result {
  return headlessResultOf(stop, parts);
}

export function failedResult(error: unknown, parts: ResultParts): Result {
  const reason = messageOfError(error);
  return headlessResultOf({ exitCode: exitCodeOfError(error), outcome: "error", reason }, parts);
}

/** For what went wrong before a run could be thought of. */
export function earlyResult(error: unknown): Result {
  const nothing = {
    tally: emptyTally,
    sessionId: undefined,
    durationMs: 0,
    failOnToolError: false,
  };
  return failedResult(error, nothing);
}

/** `first` is the result of an earlier message or line of the input, if it failed. */
export function ranResult(parts: ResultParts, first?: Verdict): Result {
  if (first !== undefined) return headlessResultOf(first, parts);
  const { tally, failOnToolError } = parts;
  const { outcome, reason } = tally.end ?? { outcome: "ok" as const, reason: undefined };
  const { errorType } = tally;
  const end = { outcome, errorType, failedCalls: failedCallsIn(tally) };
  return headlessResultOf(
    { exitCode: exitCodeOf(end, { failOnToolError }), outcome, reason },
    parts,
  );
}
