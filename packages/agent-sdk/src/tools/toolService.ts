/**
 * Runs one tool once it may run: with its deadline, its retries, its heartbeats, and a bounded grace period after its
 * signal was aborted. Every path ends in an outcome; the only exception is that its run was parked. It knows no logs:
 * progress goes to the caller.
 */

import {
  type CallDetails,
  isJsonObject,
  type JsonValue,
  type ProgressReport,
} from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { exitCodeError, type FailureOutcome } from "@callboard/run-log/writing";
import type { Clock } from "../types/clock.js";
import type { ToolContext, ToolDefinition } from "../types/tools.js";
import { abortReasonOf, whenAborted } from "../utils/abortReason.js";
import { ParkedError } from "../utils/parkedError.js";
import { plainJson, thrownMessage } from "../utils/plainJson.js";
import { failedAttemptOf, invalidResult } from "./toolFailures.js";
import { takenResult } from "./toolResult.js";
import { askedBy, beat, type CallLife, createCallLife, fellSilent, outOfTime } from "./toolTime.js";

export type ToolOutcome =
  | {
      readonly status: "ok";
      readonly output: string;
      readonly outputType: "text" | "json";
      readonly details: CallDetails;
      readonly retries: number;
    }
  | {
      readonly status: "failed";
      readonly outcome: Exclude<FailureOutcome, "denied">;
      readonly errorType: string;
      readonly message: string;
      readonly retries: number;
      readonly output?: string;
      readonly details: CallDetails;
    };

export interface ExecuteToolOptions {
  readonly tool: ToolDefinition;
  readonly input: JsonValue;
  readonly clock: Clock;
  readonly graceMs: number;
  readonly heartbeatMs: number;
  /** Aborts when the call is cancelled; its reason is recorded. */
  readonly signal: AbortSignal;
  /** Gives why the progress was refused: the call has ended, or it does not fit. */
  readonly report: (progress: ProgressReport) => string | undefined;
  /** The context without the fields that this module adds. */
  readonly context: Omit<
    ToolContext,
    "signal" | "progress" | "step" | "preview" | "output" | "title" | "locations" | "terminal"
  >;
}

export async function executeTool(options: ExecuteToolOptions): Promise<ToolOutcome> {
  let retries = 0;
  for (;;) {
    const outcome = await attempt(options, retries);
    const canRetry =
      outcome.status === "failed" &&
      outcome.isRetryable &&
      retries < options.tool.retries &&
      !options.signal.aborted;
    if (!canRetry) return outcomeOfAttempt(outcome);
    retries += 1;
    options.report({ type: "retry", attempt: retries, reason: outcome.message });
    await options.clock.sleep(Math.min(1_000 * 2 ** (retries - 1), 30_000), options.signal);
    if (options.signal.aborted) {
      return outcomeOfAttempt(
        stoppedAs("cancelled", abortReasonOf(options.signal), outcome, retries),
      );
    }
  }
}

function outcomeOfAttempt(outcome: Attempt): ToolOutcome {
  if (outcome.status === "ok") return outcome;
  const { isRetryable: _, ...failed } = outcome;
  return failed;
}

type Attempt =
  | Extract<ToolOutcome, { status: "ok" }>
  | (Extract<ToolOutcome, { status: "failed" }> & { readonly isRetryable: boolean });

async function attempt(options: ExecuteToolOptions, retries: number): Promise<Attempt> {
  const { tool, clock, signal } = options;
  if (signal.aborted) {
    return stoppedAs("cancelled", abortReasonOf(options.signal), undefined, retries);
  }
  const stop = new AbortController();
  const settled = new AbortController();
  const life = createCallLife(clock);
  const running = started(options, AbortSignal.any([stop.signal, signal]), life);
  const ended = running.then(
    (result): Attempt => endedWith(result, tool.name, retries),
    (error): Attempt => {
      if (error instanceof ParkedError) throw error;
      return { status: "failed", ...failedAttemptOf(error), retries };
    },
  );
  const cancelled = whenAborted(signal, settled.signal).then(() => "cancelled" as const);
  const expired = outOfTime(options, life, settled.signal).then(() => "timeout" as const);
  const silent = fellSilent(options, life, settled.signal).then(() => "silent" as const);
  void beat(options, life, settled.signal);
  try {
    const first = await Promise.race([ended, cancelled, expired, silent]);
    if (typeof first !== "string") {
      // A tool that fails because its signal was aborted was stopped, whichever is noticed first.
      if (first.status === "ok" || !signal.aborted) return first;
      return stoppedAs("cancelled", abortReasonOf(options.signal), first, retries);
    }
    const reason = reasonFor(first, tool, signal);
    stop.abort(reason);
    // A tool that ends within the grace may still say what it had put out.
    const grace = clock.sleep(options.graceMs, settled.signal).then(() => undefined);
    const last = await Promise.race([ended, grace]);
    if (last === undefined) {
      options.context.logger.warn(
        "A tool did not stop after its signal was aborted; its call was closed without waiting for it.",
        {
          callId: options.context.callId,
          toolName: tool.name,
        },
      );
    }
    return stoppedAs(first === "cancelled" ? first : "timeout", reason, last, retries);
  } finally {
    life.isOver = true;
    settled.abort();
  }
}

function reasonFor(
  first: "cancelled" | "timeout" | "silent",
  { timeoutMs, remote, silenceTimeoutMs = 0 }: ToolDefinition,
  signal: AbortSignal,
): string {
  switch (first) {
    case "cancelled":
      return abortReasonOf(signal);
    case "timeout":
      // Of a call that waits for a client, `timeoutMs` is what was left when this process began to wait.
      return `no result within ${(remote?.timeoutMs ?? timeoutMs) / 1000} s`;
    case "silent":
      return `no sign of the tool for ${silenceTimeoutMs / 1000} s`;
    default:
      return first satisfies never;
  }
}

function started(
  options: ExecuteToolOptions,
  signal: AbortSignal,
  life: CallLife,
): Promise<unknown> {
  const { tool, input, clock, context } = options;
  const report = (progress: ProgressReport): void => {
    life.lastSign = clock.monotonic();
    life.lastHeard = clock.monotonic();
    const reason = life.isOver ? "the call has ended" : reported(progress, options);
    if (reason === undefined) return;
    context.logger.warn("The progress of a tool was refused.", {
      callId: context.callId,
      toolName: tool.name,
      progress: progress.type,
      reason,
    });
  };
  const { askUser } = context;
  const full: ToolContext = {
    ...context,
    signal,
    ...(askUser === undefined ? {} : { askUser: askedBy(askUser, life, clock) }),
    progress: (message, percent) =>
      report({ type: "message", message, ...withoutUndefined({ percent }) }),
    step: (step, data) => report({ type: "step", step, ...withoutUndefined({ data }) }),
    preview: (text) => report({ type: "preview", text }),
    output: (text) => report({ type: "output", text }),
    title: (title) => report({ type: "title", title }),
    locations: (locations) => report({ type: "locations", locations }),
    terminal: (terminalId) => report({ type: "terminal", terminalId }),
  };
  // Starts at once, in the same tick as the caller's check of the signal; an exception is a failure.
  return (async () => tool.execute(input, full))();
}

function stoppedAs(
  outcome: "cancelled" | "timeout",
  message: string,
  last: Attempt | undefined,
  retries: number,
): Attempt {
  return {
    status: "failed",
    outcome,
    errorType: outcome,
    message,
    retries,
    isRetryable: false,
    details: last?.details ?? {},
    ...(last?.output === undefined || last.output === "" ? {} : { output: last.output }),
  };
}

/** The validated result of a tool. A command that exits with a code other than 0 has failed. */
function endedWith(result: unknown, toolName: string, retries: number): Attempt {
  const taken = takenResult(result);
  if (taken.status === "misfit") {
    return { status: "failed", ...invalidResult(toolName, taken), retries };
  }
  const { output, outputType, details } = taken;
  const { exitCode } = details;
  if (exitCode === undefined || exitCode === 0) {
    return { status: "ok", output, outputType, details, retries };
  }
  return {
    status: "failed",
    outcome: "error",
    errorType: exitCodeError,
    message: `exit code ${exitCode}`,
    output,
    details,
    retries,
    isRetryable: false,
  };
}

/** Progress is a tool author's word, too: it may have the wrong type. */
function reported(progress: ProgressReport, { report }: ExecuteToolOptions): string | undefined {
  try {
    if ("text" in progress && typeof progress.text !== "string") return "the text is not a string";
    if (progress.type !== "step" || progress.data === undefined) return report(progress);
    // Data that writes itself as something else, as a Date does, is judged as it will be written.
    const data = plainJson(progress.data);
    if (data.status === "misfit") return `data: ${data.problem}`;
    return isJsonObject(data.value)
      ? report({ ...progress, data: data.value })
      : "the data is not an object";
  } catch (error) {
    return thrownMessage(error);
  }
}
