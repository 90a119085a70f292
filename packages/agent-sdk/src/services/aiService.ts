/**
 * The only module that calls a model. For every provider, an answer becomes the parts that `types/answer.ts` specifies:
 * retried while nothing had arrived, closed when it broke off, stopped when it was aborted. It runs no tools and keeps
 * no state between two answers.
 */

import type {
  LanguageModelV3CallOptions,
  LanguageModelV3FunctionTool,
  LanguageModelV3Prompt,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import { withoutUndefined } from "@callboard/run-log/values";
import { createAnswerReader } from "../models/answerParts.js";
import { type CallAgentResult, createAnswerSum, type ToolCallUpdate } from "../models/answerSum.js";
import type { ModelError } from "../models/modelError.js";
import { modelErrorOf } from "../models/modelErrorOf.js";
import { abortError, readModel } from "../models/modelRequest.js";
import { backoffMs, longestRetryAfterMs } from "../models/retryDelay.js";
import { consoleLogger } from "../system/loggers.js";
import { systemClock } from "../system/systemClock.js";
import type { AnswerPart } from "../types/answer.js";
import type { Clock } from "../types/clock.js";
import type { Logger } from "../types/logger.js";
import type { LanguageModel } from "../types/model.js";
import { defaultLimits } from "../utils/defaultLimits.js";

export type { CallAgentResult, ToolCallUpdate } from "../models/answerSum.js";
export { ModelError, type ModelErrorKind } from "../models/modelError.js";

/** Options of `callAgent`. */
export interface CallAgentOptions {
  readonly model: LanguageModel;
  readonly prompt: LanguageModelV3Prompt;
  /** The tools that the model may call. Default none. */
  readonly tools?: readonly LanguageModelV3FunctionTool[];
  readonly abortSignal?: AbortSignal;
  /** False requests the answer in one piece. Default true. */
  readonly stream?: boolean;
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
  /** Options for one provider, by its name. */
  readonly providerOptions?: SharedV3ProviderOptions;
  /** Sent with the request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** How often a request that failed before any part of an answer arrived is retried. Default 4. */
  readonly retries?: number;
  /** Silence before the first part and between parts after which the answer is given up. Default 2 minutes. */
  readonly timeoutMs?: number;
  /** Default the system's. */
  readonly clock?: Clock;
  /** From 0 up to 1, for the jitter between tries. Default `Math.random`. */
  readonly random?: () => number;
  /** Where a callback that throws is reported. Default standard error. */
  readonly logger?: Logger;
  readonly onPart?: (part: AnswerPart) => void;
  /** Asked now and then: who cannot take more yet gives a promise, and the model is read no further. */
  readonly whenReady?: () => Promise<void> | undefined;
  /**
   * The text so far, while it streams; never with `stream: false`. Reading the whole of it for each
   * update makes an answer's cost quadratic.
   */
  readonly onContentUpdate?: (content: string) => void;
  /** A call as it is so far; `parameters` is the accumulated text. The same holds. */
  readonly onToolUpdate?: (toolCall: ToolCallUpdate) => void;
}

type DefaultedName = "tools" | "stream" | "retries" | "timeoutMs" | "clock" | "random" | "logger";
type Settings = CallAgentOptions & Required<Pick<CallAgentOptions, DefaultedName>>;

function settingsOf(options: CallAgentOptions): Settings {
  const {
    tools = [],
    stream = true,
    retries = defaultLimits.modelRetries,
    timeoutMs = defaultLimits.modelTimeoutMs,
    clock = systemClock,
    random = Math.random,
    logger = consoleLogger,
  } = options;
  return { ...options, tools, stream, retries, timeoutMs, clock, random, logger };
}

/** Throws a ModelError; its `name` is AbortError if the caller aborted. */
export async function callAgent(given: CallAgentOptions): Promise<CallAgentResult> {
  const options = settingsOf(given);
  for (let attempt = 0; ; attempt++) {
    const sum = createAnswerSum();
    const reader = createAnswerReader((part) => {
      const call = sum.add(part);
      tell(part, options);
      if (!options.stream) return;
      if (part.type === "text") tellContent(sum.content(), options);
      if (call !== undefined) tellCall(call, options);
    });
    try {
      await readModel({
        model: options.model,
        callOptions: callOptionsOf(options),
        isStreaming: options.stream,
        abortSignal: options.abortSignal,
        timeoutMs: options.timeoutMs,
        clock: options.clock,
        onPart: reader.push,
        whenReady: options.whenReady,
      });
      return sum.result();
    } catch (thrown) {
      const hasBegun = reader.hasBegun();
      const error = errorOf(thrown, hasBegun, options);
      reader.fail(error.message);
      const delayMs = hasBegun ? undefined : delayOf(error, attempt, options);
      if (delayMs === undefined) throw error;
      const reason = error.message;
      tell({ type: "retry", attempt: attempt + 1, delayMs, reason }, options);
      await options.clock.sleep(delayMs, options.abortSignal);
      if (options.abortSignal?.aborted) throw abortError();
    }
  }
}

function callOptionsOf(options: Settings): LanguageModelV3CallOptions {
  const { prompt, tools, maxOutputTokens, temperature, providerOptions, headers } = options;
  return {
    prompt,
    ...(tools.length === 0 ? {} : { tools: [...tools] }),
    ...withoutUndefined({ maxOutputTokens, temperature, providerOptions }),
    ...(headers === undefined ? {} : { headers: { ...headers } }),
  };
}

function errorOf(thrown: unknown, hasBegun: boolean, options: Settings): ModelError {
  if (options.abortSignal?.aborted) return abortError();
  const { provider, modelId } = options.model;
  return modelErrorOf(thrown, { provider, modelId, hasBegun, now: options.clock.now() });
}

const retriedKinds: ReadonlySet<string> = new Set(["rate_limit", "overloaded", "network", "other"]);

/** Undefined if an automatic retry is pointless. */
function delayOf(
  error: ModelError,
  attempt: number,
  { retries, random }: Settings,
): number | undefined {
  if (attempt >= retries || !error.isRetryable || !retriedKinds.has(error.kind)) return undefined;
  const asked = error.retryAfterMs ?? 0;
  if (asked > longestRetryAfterMs) return undefined;
  return Math.max(asked, backoffMs(attempt, random));
}

function tell(part: AnswerPart, { onPart, logger }: Settings): void {
  if (onPart) guard("onPart", logger, () => onPart(part));
}

function tellContent(content: string, { onContentUpdate, logger }: Settings): void {
  if (onContentUpdate) guard("onContentUpdate", logger, () => onContentUpdate(content));
}

function tellCall(call: ToolCallUpdate, { onToolUpdate, logger }: Settings): void {
  const { id, name, parameters } = call;
  if (onToolUpdate) guard("onToolUpdate", logger, () => onToolUpdate({ id, name, parameters }));
}

/** A callback that throws or rejects is logged, and the answer continues. */
function guard(name: string, logger: Logger, callback: () => unknown): void {
  const failed = (error: unknown) => {
    logger.error(`The callback ${name} failed; the answer continues.`, { error: String(error) });
  };
  try {
    const result = callback();
    if (result instanceof Promise) result.catch(failed);
  } catch (error) {
    failed(error);
  }
}
