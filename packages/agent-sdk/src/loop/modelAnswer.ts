/**
 * One answer of a model: the request, its answer in the log, and its result. Calls of an answer that broke off or ended
 * badly are closed here; no tool runs here.
 */

import type { LanguageModelV3Prompt } from "@ai-sdk/provider";
import { type CallId, callOf, type Usage } from "@callboard/run-log";
import { repairedStatus } from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import { isTooLong, windowIn } from "../models/contextRefused.js";
import { answerEndingOf } from "../models/endings.js";
import { isHistoryRefused } from "../models/historyRefused.js";
import { requestSettings } from "../models/requestSettings.js";
import { callAgent, ModelError } from "../services/aiService.js";
import { abortReasonOf } from "../utils/abortReason.js";
import { type AnswerRecorder, createAnswerRecorder } from "./answerRecorder.js";
import { closeCall } from "./callClosing.js";
import { type Compacted, compact } from "./compaction.js";
import { traceOf } from "./runTrace.js";
import type { RunWriter } from "./runWriter.js";
import type { TurnsOptions } from "./turns.js";

/** Why an answer is not used: the request failed, or the answer ended badly. */
export interface AnswerFailure {
  readonly outcome: "error" | "timeout" | "limit";
  readonly errorType: string;
  readonly reason: string;
  /** The HTTP status, if there is one. */
  readonly code?: string;
}

export interface Answer {
  /** The calls to run. */
  readonly calls: readonly CallId[];
  readonly text: string;
  readonly usage: Usage | undefined;
  readonly failure: AnswerFailure | undefined;
  /** The reaction to a request that the provider refused for its length. */
  readonly compacted?: Compacted;
}

const noAnswer: Answer = { calls: [], text: "", usage: undefined, failure: undefined };

/**
 * One answer of the model, in the log. If a provider refuses the history itself, the request is sent once more: the log
 * records it, and from then on that history is sent as plain text.
 */
export async function recordAnswer(
  options: TurnsOptions,
  turn: number,
  notice: string | undefined,
): Promise<Answer> {
  const { writer, scope } = options;
  await writer.stored();
  const prompt = options.prompt();
  const first = await asked(options, turn, withNotice(prompt, notice));
  if (first.error !== undefined && isTooLong(first.error)) {
    return shortened(options, turn, notice, first.error, first.answer);
  }
  if (first.error === undefined || !isHistoryRefused(first.error, prompt)) return first.answer;
  writer.record({
    type: "reportStatus",
    status: repairedStatus,
    userMessage:
      "The provider refused the history of this conversation. It is sent again in plain words.",
    metadata: { reason: first.error.message, ...withoutUndefined({ scope }) },
  });
  await writer.stored();
  return (await asked(options, turn, withNotice(options.prompt(), notice))).answer;
}

/** A request that was too long is sent once more with a summary. From then on the window of the model is known. */
async function shortened(
  options: TurnsOptions,
  turn: number,
  notice: string | undefined,
  error: ModelError,
  refused: Answer,
): Promise<Answer> {
  const { context, model } = options;
  const window = windowIn(error);
  if (window !== undefined) context.learn(model, window);
  const compacted = await compact(options, "refused");
  if (compacted.status !== "compacted") return { ...refused, compacted };
  const { answer } = await asked(options, turn, withNotice(options.prompt(), notice));
  return { ...answer, compacted };
}

interface Asked {
  readonly answer: Answer;
  /** Absent if the request was aborted. */
  readonly error?: ModelError;
}

async function asked(
  options: TurnsOptions,
  turn: number,
  prompt: LanguageModelV3Prompt,
): Promise<Asked> {
  const { writer, registry, callIds, newId, workdir, scope, limits, clock, logger } = options;
  const { prices, model, context } = options;
  const recorder = createAnswerRecorder({
    writer,
    registry,
    callIds,
    workdir,
    newMessageId: newId,
    priced: (usage, answeredBy) => prices.priced(usage, model, answeredBy),
    contextOf: ({ inputTokens, outputTokens }) => {
      context.measured(prompt, model, inputTokens);
      const window = context.windowOf(model);
      const tokens = inputTokens + outputTokens;
      return window === undefined ? { tokens } : { tokens, window };
    },
    origin: model.origin,
    iteration: turn,
    ...withoutUndefined({ scope }),
  });
  if (options.signal.aborted) return { answer: noAnswer };
  const taking = takingOf(recorder);
  let error: ModelError | undefined;
  try {
    await callAgent({
      model: model.model,
      prompt,
      tools: registry.declarations,
      abortSignal: AbortSignal.any([options.signal, taking.broken]),
      stream: options.stream,
      ...requestSettings(model, limits, options.sessionId, traceOf(writer, "run")),
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
  const failure = error === undefined ? endingIn(recorder) : answerFailureOf(error);
  if (error?.kind === "aborted") {
    closeUnusable(recorder, writer, {
      outcome: "cancelled",
      message: abortReasonOf(options.signal),
    });
  } else if (failure !== undefined) {
    const { reason: message, errorType } = failure;
    closeUnusable(recorder, writer, { outcome: "error", errorType, message });
  }
  recorder.close();
  // The start of a call is stored together with the end of the answer that made it.
  if (recorder.calls.length === 0) await writer.stored();
  const { calls, text, usage } = recorder;
  if (error?.kind === "aborted") return { answer: { calls, text, usage, failure: undefined } };
  const answer = { calls, text, usage, failure };
  return error === undefined ? { answer } : { answer, error };
}

function endingIn({ finish, calls, text }: AnswerRecorder): AnswerFailure | undefined {
  return finish && answerEndingOf(finish, text.trim() !== "", calls.length > 0);
}

function answerFailureOf(error: ModelError): AnswerFailure {
  const { kind: errorType, message: reason, status } = error;
  const outcome = errorType === "timeout" ? "timeout" : "error";
  const code = status === undefined ? {} : { code: String(status) };
  return { outcome, errorType, reason, ...code };
}

/** An error of the recorder is a bug: the request is stopped, and the code that awaits it throws the error again. */
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

/** Calls of an answer that broke off or ended badly are closed, never run: their arguments are not certain. */
function closeUnusable(
  { calls }: AnswerRecorder,
  writer: RunWriter,
  ending: {
    readonly outcome: "error" | "cancelled";
    readonly errorType?: string;
    readonly message: string;
  },
): void {
  for (const callId of calls) {
    const call = callOf(writer.state, callId);
    if (call !== undefined && call.status !== "closed") closeCall(writer, { callId, ...ending });
  }
}

function withNotice(
  prompt: LanguageModelV3Prompt,
  notice: string | undefined,
): LanguageModelV3Prompt {
  if (notice === undefined) return prompt;
  return [...prompt, { role: "user", content: [{ type: "text", text: notice }] }];
}
