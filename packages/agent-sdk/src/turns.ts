/**
 * The loop: the model answers, its calls run, it answers again, until it makes none. The same loop
 * serves the conversation and every nested agent; `scope` tells them apart in the log.
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
import { type AnswerRecorder, createAnswerRecorder } from "./answerRecorder.js";
import { closeCall } from "./callClosing.js";
import { type CallRunnerOptions, runCall } from "./callRunner.js";
import type { MessageQueue } from "./managers/messageQueue.js";
import { callAgent, ModelError } from "./services/aiService.js";
import type { ResolvedModel } from "./services/models/resolveModel.js";
import { reasonOf } from "./utils/abortReason.js";
import type { CallIds } from "./utils/callIds.js";
import type { PriceBook } from "./utils/priceBook.js";

export interface TurnsOptions extends CallRunnerOptions {
  readonly model: ResolvedModel;
  readonly callIds: CallIds;
  /** What the model is told, as the log stands. */
  readonly prompt: () => LanguageModelV3Prompt;
  /** Aborts the whole run; the reason says why. */
  readonly signal: AbortSignal;
  /** The signal of one call: aborts with the run, or alone. */
  readonly signalOf: (callId: CallId) => AbortSignal;
  readonly releaseCall: (callId: CallId) => void;
  readonly stream: boolean;
  readonly prices: PriceBook;
  /** Messages that wait for the model's next answer. */
  readonly steering: Pick<MessageQueue, "isDue" | "deliver">;
  /** Answers that the log has of this loop already. */
  readonly turnsBefore: number;
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

export async function runTurns(options: TurnsOptions): Promise<TurnsResult> {
  const { signal, guards, guardKey, writer } = options;
  let usage: Usage = noUsage;
  let text = "";
  for (let turn = options.turnsBefore; ; turn += 1) {
    const guarded = guards.startTurn(guardKey);
    if (guarded.status === "stop") return { outcome: "limit", reason: guarded.reason, text, usage };
    const notice = guarded.status === "warn" ? guarded.message : undefined;
    options.steering.deliver();
    const answer = await answered(options, turn, notice);
    text = answer.text;
    if (answer.usage) {
      usage = addUsage(usage, answer.usage);
      if (answer.usage.costUsd !== undefined) guards.spend(guardKey, answer.usage.costUsd);
      else if (guards.missCost(guardKey)) tellUnknownCost(options);
    }
    if (answer.error) return failed(answer.error, options, text, usage);
    if (signal.aborted) return stopped(signal, text, usage);
    if (answer.calls.length === 0) {
      // A message that came with the last answer is read in this run: the model answers once more.
      if (notice === undefined && options.steering.isDue) continue;
      if (notice === undefined) return { outcome: "ok", text, usage };
      return { outcome: "limit", reason: notice, text, usage };
    }
    const reason = await ranCalls(answer.calls, options);
    await writer.stored();
    if (signal.aborted) return stopped(signal, text, usage);
    if (reason !== undefined) return { outcome: "limit", reason, text, usage };
  }
}

/** A budget that nobody can keep is said to be none, once in a run. */
function tellUnknownCost({ writer, logger, limits, model, runId }: TurnsOptions): void {
  const userMessage = `The budget of $${limits.maxCostUsd} cannot be kept: what ${model.label} costs is not known. Give its price by \`prices\` or in prices.json.`;
  writer.record({ type: "reportStatus", status: "cost_unknown", userMessage });
  logger.warn(userMessage, { runId });
}

interface Answer {
  readonly calls: readonly CallId[];
  readonly text: string;
  readonly usage: Usage | undefined;
  readonly error: ModelError | undefined;
}

/** One answer of the model, in the log. */
async function answered(
  options: TurnsOptions,
  turn: number,
  notice: string | undefined,
): Promise<Answer> {
  const { writer, registry, callIds, newId, workdir, scope, limits, clock, logger } = options;
  const { prices, model } = options;
  const recorder = createAnswerRecorder({
    writer,
    registry,
    callIds,
    workdir,
    newMessageId: newId,
    priced: (usage, answeredBy) => prices.priced(usage, model, answeredBy),
    origin: model.origin,
    iteration: turn,
    ...(scope === undefined ? {} : { scope }),
  });
  await writer.stored();
  if (options.signal.aborted) return { calls: [], text: "", usage: undefined, error: undefined };
  const taking = takingOf(recorder);
  let error: ModelError | undefined;
  try {
    await callAgent({
      model: model.model,
      prompt: withNotice(options.prompt(), notice),
      tools: registry.declarations,
      abortSignal: AbortSignal.any([options.signal, taking.broken]),
      stream: options.stream,
      retries: limits.modelRetries,
      timeoutMs: limits.modelTimeoutMs,
      clock,
      logger,
      onPart: taking.take,
      whenReady: writer.whenReady,
    });
  } catch (thrown) {
    if (!(thrown instanceof ModelError)) throw thrown;
    error = thrown;
  }
  taking.broken.throwIfAborted();
  if (error) closeUnusable(recorder, error, options);
  recorder.close();
  await writer.stored();
  const isAborted = error?.kind === "aborted";
  return { ...answerOf(recorder), error: isAborted ? undefined : error };
}

/** What the recorder throws is our bug: the request is stopped, and whoever waits for it throws it on. */
function takingOf(recorder: AnswerRecorder): {
  readonly take: AnswerRecorder["take"];
  readonly broken: AbortSignal;
} {
  const failure = new AbortController();
  return {
    broken: failure.signal,
    take(part) {
      if (failure.signal.aborted) return;
      try {
        recorder.take(part);
      } catch (error) {
        failure.abort(error);
      }
    },
  };
}

function answerOf({ calls, text, usage }: AnswerRecorder): Omit<Answer, "error"> {
  return { calls, text, usage };
}

/** Calls of an answer that broke are closed, never run: nobody knows what they were to be. */
function closeUnusable(recorder: AnswerRecorder, error: ModelError, options: TurnsOptions): void {
  const { writer } = options;
  const isAborted = error.kind === "aborted";
  for (const callId of recorder.calls) {
    const call = callOf(writer.state, callId);
    if (!call || call.status === "closed") continue;
    const message = isAborted ? reasonOf(options.signal) : error.message;
    closeCall(
      writer,
      isAborted
        ? { callId, outcome: "cancelled", message }
        : { callId, outcome: "error", errorType: "provider_error", message },
    );
  }
}

function withNotice(
  prompt: LanguageModelV3Prompt,
  notice: string | undefined,
): LanguageModelV3Prompt {
  if (notice === undefined) return prompt;
  return [...prompt, { role: "user", content: [{ type: "text", text: notice }] }];
}

/** Runs of safe calls go side by side; every other call waits for those before it. */
async function ranCalls(
  calls: readonly CallId[],
  options: TurnsOptions,
): Promise<string | undefined> {
  let reason: string | undefined;
  const run = async (callId: CallId): Promise<void> => {
    const end = await runCall(callId, options.signalOf(callId), options);
    options.releaseCall(callId);
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

function failed(
  error: ModelError,
  { writer, scope }: TurnsOptions,
  text: string,
  usage: Usage,
): TurnsResult {
  if (scope === undefined) {
    writer.record({
      type: "reportError",
      errorType: error.kind,
      message: error.message,
      ...(error.status === undefined ? {} : { code: String(error.status) }),
    });
  }
  const outcome = error.kind === "timeout" ? "timeout" : "error";
  return { outcome, reason: error.message, text, usage };
}

function stopped(signal: AbortSignal, text: string, usage: Usage): TurnsResult {
  const isDeadline = signal.reason instanceof RunDeadline;
  return { outcome: isDeadline ? "timeout" : "cancelled", reason: reasonOf(signal), text, usage };
}

/** Why a run was aborted that took too long. */
export class RunDeadline extends Error {
  override readonly name = "RunDeadline";
}
