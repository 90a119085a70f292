/**
 * One run from its start to its closing: the user's message, the turns, and their end. The log is closed in every case;
 * only a failing store can prevent that, and then an error is reported.
 */

import {
  noUsage,
  type PendingQuestion,
  type RunEvent,
  runId as runIdOf,
  type Usage,
} from "@callboard/run-log";
import { messageOfError, withoutUndefined } from "@callboard/run-log/values";
import { lastingCallsOf, questionsOf } from "@callboard/run-log/writing";
import type { RunResult } from "../types/agent.js";
import { abortReasonOf } from "../utils/abortReason.js";
import { ParkedError } from "../utils/parkedError.js";
import { type CallSignals, createCallSignals } from "./callSignals.js";
import { limitActionOf } from "./guard/runBudget.js";
import { type GuardedPast, guardedPast } from "./guardedPast.js";
import { createLimitQuestions } from "./limitQuestions.js";
import { createParking, type Parking } from "./parking.js";
import { hookRunEnd } from "./runHooks.js";
import type { RunParts, RunSetup } from "./runParts.js";
import { createRunTime } from "./runTime.js";
import { createRunWriter, type RunWriter } from "./runWriter.js";
import { RunDeadline, runTurns, type TurnsResult } from "./turns.js";
import { turnsOptions } from "./turnsOptions.js";

export interface OpenRun {
  readonly runId: string;
  readonly signals: CallSignals;
  readonly parking: Parking;
  /** Whom the run waits for now. */
  readonly questions: () => readonly PendingQuestion[];
  /** Whether calls of it outlive this process. */
  readonly hasLastingCalls: () => boolean;
  readonly result: Promise<RunResult>;
}

/** Writes the start of a run to the log. Returns why it must not continue, if hooks deny its message. */
export type Begin = (
  parts: Pick<RunParts, "writer" | "signal">,
) => string | undefined | Promise<string | undefined>;

interface RunLog {
  readonly runId: string;
  readonly past: readonly RunEvent[];
}

/** Opens the log of a run and works until it ends. `begin` records its start. */
export function openRun(
  setup: RunSetup,
  { runId, past }: RunLog,
  abort: AbortSignal,
  begin: Begin,
): OpenRun {
  const { conversation, clock } = setup;
  const writer = createRunWriter({
    runId: runIdOf(runId),
    store: conversation.log,
    clock,
    pulse: setup.pulse,
    tell: conversation.take,
    logger: setup.logger,
    past,
  });
  const deadline = new AbortController();
  const signal = AbortSignal.any([abort, deadline.signal, writer.failed]);
  const signals = createCallSignals(signal);
  const over = new AbortController();
  const before = guardedPast(past);
  const time = createRunTime(clock, before.elapsedMs);
  const endInTime = (): void => {
    const { maxRunMs = 0 } = setup.limits;
    // A limit that was raised and then refused has more to say than what it was at first.
    const ms = Math.max(maxRunMs, Math.floor(time.elapsedMs() / 1_000) * 1_000);
    deadline.abort(new RunDeadline(`the run took longer than ${ms / 1_000} s`));
  };
  if (setup.limits.maxRunMs !== undefined && !asksForTime(setup, before)) {
    void time.reached(setup.limits.maxRunMs, over.signal).then(() => {
      if (!over.signal.aborted) endInTime();
    });
  }
  const parking = createParking({
    clock,
    afterMs: setup.parkAfterMs,
    park: () => writer.propose({ type: "parkRun" }).status === "accepted",
    onQuiet: time.rest,
  });
  const own = { setup, writer, runId, signal, signals, parking };
  const limitQuestions = createLimitQuestions(own, (limit) => {
    if (limit === "time") endInTime();
  });
  const life = runLife({ ...own, before, time, limitQuestions }, begin);
  const result = life.finally(() => {
    over.abort();
    setup.guards.endRun(runId);
  });
  const questions = (): readonly PendingQuestion[] => questionsOf(writer.state);
  const hasLastingCalls = (): boolean => lastingCallsOf(writer.state).size > 0;
  return { runId, signals, parking, questions, hasLastingCalls, result };
}

/** A limit of time that asks is checked before each answer and each call, and no timer ends the run. */
function asksForTime({ limits, approvals }: RunSetup, { denied }: GuardedPast): boolean {
  const asks = limitActionOf(limits.onLimit, "time") === "ask";
  return asks && approvals.canAsk && !denied.includes("time");
}

async function runLife(parts: RunParts, begin: Begin): Promise<RunResult> {
  const { setup, writer, runId, signal } = parts;
  const begun = begin(parts);
  const denied = begun instanceof Promise ? await begun : begun;
  setup.queue.open(writer);
  setup.guards.startRun(runId);
  const { before, time } = parts;
  setup.guards.resumeRun(runId, before, time && (() => time.elapsedMs() / 1_000));
  setup.guards.spend(runId, runUsageOf(writer).costUsd ?? 0);
  const turns = signal.aborted
    ? cancelledTurns(signal)
    : denied === undefined
      ? await guardedTurns(parts)
      : deniedTurns(denied, writer);
  const { outcome, reason, text } = turns;
  if (outcome === "parked") {
    setup.queue.leave();
    await writer.stored();
    const questions = questionsOf(writer.state);
    return { runId, outcome, questions, text, usage: runUsageOf(writer) };
  }
  const why = withoutUndefined({ reason });
  const next = setup.queue.close(setup.nextRunId());
  writer.record({ type: "closeRun", outcome, ...why, ...next });
  await writer.stored();
  const result = { runId, outcome, text, usage: runUsageOf(writer), ...why };
  const { workdir, conversation } = setup;
  await hookRunEnd(
    { ...result, workdir, sessionId: conversation.log.sessionId },
    { ...setup, writer, signal },
  );
  return result;
}

/** A hook denied the message: the model is not called. */
function deniedTurns(reason: string, writer: RunWriter): TurnsResult {
  writer.record({ type: "reportError", errorType: "denied", message: reason });
  return { outcome: "error", reason, text: "", usage: noUsage };
}

interface ParkedTurns {
  readonly outcome: "parked";
  readonly text: string;
  readonly reason: undefined;
}

/** It was stopped before it started. */
function cancelledTurns(signal: AbortSignal): TurnsResult {
  return { outcome: "cancelled", text: "", reason: abortReasonOf(signal), usage: noUsage };
}

/** A bug of ours must not leave a log open: it is reported, the run closed, and then thrown on. */
async function guardedTurns(parts: RunParts): Promise<TurnsResult | ParkedTurns> {
  const { setup, writer } = parts;
  try {
    return await runTurns(turnsOptions(parts, undefined));
  } catch (error) {
    writer.failed.throwIfAborted();
    if (error instanceof ParkedError) return { outcome: "parked", text: "", reason: undefined };
    const message = messageOfError(error);
    setup.logger.error("A run ended with an internal error.", { runId: parts.runId, error });
    writer.record({ type: "reportError", errorType: "internal", message });
    return { outcome: "error", reason: message, text: "", usage: runUsageOf(writer) };
  }
}

function runUsageOf({ state }: RunWriter): Usage {
  return state.status === "unstarted" ? { inputTokens: 0, outputTokens: 0 } : state.usage;
}
