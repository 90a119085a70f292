/**
 * Compacts what a model receives: requests a summary of all but the last turns and records it. The log keeps the whole
 * text; only later prompts are shorter. A failed summary changes nothing.
 */

import type { LanguageModelV3Prompt } from "@ai-sdk/provider";
import type { CallId, ContextSize, Usage } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import type { CompactionCause } from "@callboard/run-log/writing";
import type { PriceBook } from "../models/priceBook.js";
import { requestSettings } from "../models/requestSettings.js";
import type { ResolvedModel } from "../models/resolveModel.js";
import { summaryPrompt } from "../models/summaryPrompt.js";
import { tokensOfMessages } from "../models/tokenEstimate.js";
import { callAgent, ModelError } from "../services/aiService.js";
import type { Clock } from "../types/clock.js";
import type { Limits } from "../types/limits.js";
import type { Logger } from "../types/logger.js";
import type { ContextManager } from "./contextManager.js";
import type { Conversation } from "./conversation.js";
import { traceOf } from "./runTrace.js";
import type { RunWriter } from "./runWriter.js";

export interface CompactionOptions {
  readonly conversation: Pick<Conversation, "compactable">;
  readonly context: ContextManager;
  readonly writer: RunWriter;
  readonly model: ResolvedModel;
  /** What the model receives, by the current log. */
  readonly prompt: () => LanguageModelV3Prompt;
  readonly prices: PriceBook;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
  /** The call that a nested agent works for. */
  readonly scope?: CallId;
}

export type Compacted =
  | { readonly status: "compacted"; readonly usage: Usage | undefined; readonly after: ContextSize }
  /** There is nothing that could be summarised. */
  | { readonly status: "nothing"; readonly usage?: undefined }
  | { readonly status: "failed"; readonly reason: string; readonly usage: Usage | undefined };

/** The share of the window, and of the current prompt, that the last turns may keep. */
const keptShare = 0.2;
/** Used if the window is unknown. */
const assumedWindow = 100_000;
/** The share of the window that the request for a summary may fill. */
const readShare = 0.6;
const charsPerToken = 4;

const causes: Readonly<Record<CompactionCause, string>> = {
  full: "The context is nearly full. Summarising the conversation so far.",
  refused: "The provider refused the conversation for its length. Summarising it.",
  asked: "Summarising the conversation so far.",
};

/** Whether the next request would fill more of the window than `compactAt` allows. */
export function isNearlyFull(options: CompactionOptions): boolean {
  const { context, model, prompt, limits } = options;
  const { tokens, window } = context.sizeOf(prompt(), model);
  const { compactAt } = limits;
  return window !== undefined && compactAt !== undefined && tokens >= window * compactAt;
}

type PlanOptions = Pick<
  CompactionOptions,
  "conversation" | "context" | "model" | "prompt" | "scope"
>;

function planOf({ conversation, context, model, prompt, scope }: PlanOptions) {
  const before = context.sizeOf(prompt(), model);
  const window = before.window ?? assumedWindow;
  const keepTokens = Math.min(window, before.tokens) * keptShare;
  const plan = conversation.compactable({ origin: model.origin, scope, keepTokens });
  return { before, window, plan };
}

export function isCompactable(options: PlanOptions): boolean {
  return planOf(options).plan !== undefined;
}

export async function compact(
  options: CompactionOptions,
  cause: CompactionCause,
): Promise<Compacted> {
  const { writer, model, prompt, scope } = options;
  await writer.stored();
  const { before, window, plan } = planOf(options);
  if (plan === undefined) return { status: "nothing" };
  writer.record({ type: "reportStatus", status: "compacting", userMessage: causes[cause] });
  await writer.stored();
  const asked = summaryPrompt(plan.messages, Math.floor(window * readShare) * charsPerToken);
  const { text, usage, failure } = await summarised(options, asked);
  if (usage && scope === undefined) writer.record({ type: "reportUsage", usage });
  if (failure !== undefined) {
    const userMessage = `The conversation could not be summarised: ${failure}`;
    writer.record({ type: "reportStatus", status: "compaction_failed", userMessage });
    await writer.stored();
    return { status: "failed", reason: failure, usage };
  }
  const kept = tokensOfMessages(prompt()) - tokensOfMessages(plan.messages);
  const tokens = Math.max(0, kept) + Math.ceil(text.length / charsPerToken);
  const after = { ...before, tokens };
  writer.record({
    type: "compactContext",
    cause,
    summary: text,
    model: model.label,
    before,
    after,
    ...withoutUndefined({ keptFrom: plan.keptFrom, parentCallId: scope }),
  });
  await writer.stored();
  return { status: "compacted", usage, after };
}

interface Summary {
  readonly text: string;
  readonly usage: Usage | undefined;
  readonly failure?: string;
}

async function summarised(
  { model, prices, limits, clock, logger, signal, writer }: CompactionOptions,
  prompt: LanguageModelV3Prompt,
): Promise<Summary> {
  let usage: Usage | undefined;
  try {
    const { content } = await callAgent({
      model: model.model,
      prompt,
      abortSignal: signal,
      ...requestSettings(model, limits, undefined, traceOf(writer, "run")),
      clock,
      logger,
      onPart(part) {
        if (part.type === "usage") usage = prices.priced(part.usage, model, part.model);
      },
    });
    const text = content.trim();
    return text === "" ? { text, usage, failure: "the model returned no text." } : { text, usage };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { text: "", usage, failure: error.message };
  }
}
