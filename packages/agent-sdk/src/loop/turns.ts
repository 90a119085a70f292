/**
 * The loop: the model answers, its calls run, it answers again, until it makes none. The same loop serves the
 * conversation and every nested agent; `scope` distinguishes them in the log.
 */
import type { LanguageModelV3Prompt } from "@ai-sdk/provider";
import {
  addUsage,
  type CallId,
  callOf,
  noUsage,
  type RunOutcome,
  type Usage,
} from "@callboard/run-log";
import type { PriceBook } from "../models/priceBook.js";
import type { ResolvedModel } from "../models/resolveModel.js";
import { abortReasonOf, whenAborted } from "../utils/abortReason.js";
import { type Background, createBackground } from "./background.js";
import type { CallIds } from "./callIds.js";
import { type CallRunnerOptions, runCall } from "./callRunner.js";
import { type CompactionOptions, compact, isNearlyFull } from "./compaction.js";
import { answeredVerdict } from "./limitVerdict.js";
import type { MessageQueue } from "./messageQueue.js";
import { type AnswerFailure, recordAnswer } from "./modelAnswer.js";

/** A model and its prompt belong together: data of one provider is sent to no other. */
export interface Answering {
  readonly model: ResolvedModel;
  /** What the model receives, by the current log. */
  readonly prompt: () => LanguageModelV3Prompt;
}

export interface TurnsOptions
  extends CallRunnerOptions,
    Answering,
    Pick<CompactionOptions, "conversation" | "context"> {
  /** The model of the next answer. */
  readonly answering: () => Answering;
  readonly callIds: CallIds;
  /** Aborts the whole run; the reason of the signal is recorded. */
  readonly signal: AbortSignal;
  /** The signal of one call: aborts with the run, or alone. */
  readonly signalOf: (callId: CallId) => AbortSignal;
  readonly releaseCall: (callId: CallId) => void;
  readonly stream: boolean;
  readonly prices: PriceBook;
  /** Messages that wait for the model's next answer. */
  readonly steering: Pick<MessageQueue, "isDue" | "whileIdle"> & {
    readonly deliver: () => void | Promise<void>;
  };
  /** Answers that the log has of this loop already. */
  readonly turnsBefore: number;
  /** Calls of this loop that another process left unfinished: they run before the model is called again. */
  readonly pending: readonly CallId[];
  /** The call that a nested agent works for. */
  readonly scope?: CallId;
}

export interface TurnsResult {
  readonly outcome: RunOutcome;
  readonly reason?: string;
  /** The text of the last answer. */
  readonly text: string;
  readonly usage: Usage;
}

/** Throws a ParkedError if all its work waited for an answer, and the run was parked. */
export function runTurns(options: TurnsOptions): Promise<TurnsResult> {
  return options.parking.working(() => turns(options));
}

/** Calls in the background end with the agent that made them. */
async function turns(options: TurnsOptions): Promise<TurnsResult> {
  const background = createBackground(options.parking, options.releaseCall);
  try {
    return await answers({ ...options, background });
  } finally {
    await options.parking.resting(() => background.stop("its agent has ended"));
  }
}

type AnswersOptions = TurnsOptions & { readonly background: Background };

async function answers(options: AnswersOptions): Promise<TurnsResult> {
  const { signal, guards, guardKey, writer } = options;
  let usage: Usage = noUsage;
  let text = "";
  if (options.pending.length > 0) {
    const reason = await ranCalls(options.pending, options);
    await writer.stored();
    if (signal.aborted) return stopped(signal, text, usage);
    if (reason !== undefined) return { outcome: "limit", reason, text, usage };
  }
  for (let turn = options.turnsBefore; ; turn += 1) {
    const verdict = guards.startTurn(guardKey);
    const guarded =
      verdict.status === "ask"
        ? await answeredVerdict(() => guards.startTurn(guardKey), signal, options)
        : verdict;
    if (signal.aborted) return stopped(signal, text, usage);
    if (guarded.status === "stop") return { outcome: "limit", reason: guarded.reason, text, usage };
    const notice = guarded.status === "warn" ? guarded.message : undefined;
    await options.steering.deliver();
    const now = { ...options, ...options.answering() };
    const compacted = isNearlyFull(now) ? await compact(now, "full") : undefined;
    if (compacted) usage = spent(compacted, now, usage);
    if (signal.aborted) return stopped(signal, text, usage);
    options.background.takeNews();
    const answer = await recordAnswer(now, turn, notice);
    text = answer.text;
    usage = spent(answer, now, usage);
    if (answer.compacted) usage = spent(answer.compacted, now, usage);
    if (answer.failure) return failed(answer.failure, options, text, usage);
    if (signal.aborted) return stopped(signal, text, usage);
    if (answer.calls.length === 0) {
      // A message that came with the last answer is read in this run: the model answers once more.
      if (notice === undefined && options.steering.isDue) continue;
      if (notice === undefined && (await isWoken(options))) continue;
      if (signal.aborted) return stopped(signal, text, usage);
      if (notice === undefined) return { outcome: "ok", text, usage };
      return { outcome: "limit", reason: notice, text, usage };
    }
    const reason = await ranCalls(answer.calls, options);
    await writer.stored();
    if (signal.aborted) return stopped(signal, text, usage);
    if (reason !== undefined) return { outcome: "limit", reason, text, usage };
  }
}

/**
 * Waits for input for the model: the end of a call in the background, or a message. False if nothing is running, or the
 * run was aborted.
 */
async function isWoken({
  background,
  steering,
  signal,
  parking,
}: AnswersOptions): Promise<boolean> {
  if (background.takeNews()) return true;
  if (!background.isBusy) return false;
  await parking.resting(() =>
    steering.whileIdle((due) => Promise.race([background.next(), due, whenAborted(signal)])),
  );
  return !signal.aborted;
}

/** Counts what a request to the model cost, whatever it was for. */
function spent(
  one: { readonly usage?: Usage | undefined },
  options: TurnsOptions,
  before: Usage,
): Usage {
  const { guards, guardKey } = options;
  if (one.usage === undefined) return before;
  if (one.usage.costUsd !== undefined) guards.spend(guardKey, one.usage.costUsd);
  else if (guards.missCost(guardKey)) tellUnknownCost(options);
  return addUsage(before, one.usage);
}

/** Reports once per run that maxCostUsd cannot be enforced because the model's price is unknown. */
function tellUnknownCost({ writer, logger, limits, model, runId }: TurnsOptions): void {
  const userMessage = `The budget of $${limits.maxCostUsd} cannot be enforced: the price of ${model.label} is not known. Set its price with \`prices\` or in prices.json.`;
  writer.record({ type: "reportStatus", status: "cost_unknown", userMessage });
  logger.warn(userMessage, { runId });
}

/** Runs of safe calls go side by side; every other call waits for those before it. */
function ranCalls(calls: readonly CallId[], options: AnswersOptions): Promise<string | undefined> {
  return options.parking.resting(() => ranInOrder(calls, options));
}

async function ranInOrder(
  calls: readonly CallId[],
  options: AnswersOptions,
): Promise<string | undefined> {
  let reason: string | undefined;
  const run = async (callId: CallId): Promise<void> => {
    const question = options.limitQuestions.takeUp(callId, options.signal);
    if (question !== undefined) return question;
    const signal = AbortSignal.any([options.signalOf(callId), options.background.ended]);
    const running = runCall(callId, signal, options);
    const end = await running.finally(() => {
      if (!options.background.has(callId)) options.releaseCall(callId);
    });
    if (end.status === "stop") reason ??= end.reason;
  };
  let together: Promise<void>[] = [];
  for (const callId of calls) {
    if (isSafe(callId, options)) {
      together.push(run(callId));
      continue;
    }
    await Promise.all(together);
    together = [];
    if (options.signal.aborted || reason !== undefined) break;
    await run(callId);
  }
  await Promise.all(together);
  return reason;
}

function isSafe(callId: CallId, { writer, registry }: TurnsOptions): boolean {
  const toolName = callOf(writer.state, callId)?.toolName ?? "";
  return registry.find(toolName)?.concurrency !== "exclusive";
}

/** The failure of a nested agent is the result of the call that it works for. A limit is reported by the run's closing. */
function failed(
  { outcome, errorType, reason, code }: AnswerFailure,
  { writer, scope }: TurnsOptions,
  text: string,
  usage: Usage,
): TurnsResult {
  if (scope === undefined && outcome !== "limit") {
    const error = { type: "reportError", errorType, message: reason } as const;
    writer.record(code === undefined ? error : { ...error, code });
  }
  return { outcome, reason, text, usage };
}

function stopped(signal: AbortSignal, text: string, usage: Usage): TurnsResult {
  const isDeadline = signal.reason instanceof RunDeadline;
  return {
    outcome: isDeadline ? "timeout" : "cancelled",
    reason: abortReasonOf(signal),
    text,
    usage,
  };
}

/** Why a run was aborted that took too long. */
export class RunDeadline extends Error {
  override readonly name = "RunDeadline";
}
