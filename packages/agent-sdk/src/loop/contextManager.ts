/**
 * How full the context is: the windows of models, and the tokens of a prompt. A provider's own counts correct the
 * estimate from one answer to the next. It only stores numbers.
 */
import type { LanguageModelV3Prompt } from "@ai-sdk/provider";
import type { ContextSize, RunEvent } from "@callboard/run-log";
import { knownWindowOf } from "../models/knownWindows.js";
import { tokensOfMessages } from "../models/tokenEstimate.js";

export interface ContextManager {
  windowOf(model: ContextModel): number | undefined;
  /** The provider reported the window of the model. */
  learn(model: ContextModel, window: number): void;
  /** What a log contains about models that refused. */
  push(event: RunEvent): void;
  sizeOf(prompt: LanguageModelV3Prompt, model: ContextModel): ContextSize;
  /** The provider counted this prompt. */
  measured(prompt: LanguageModelV3Prompt, model: ContextModel, inputTokens: number): void;
}

export interface ContextModel {
  readonly label: string;
  readonly modelId: string;
}

/** One count of a provider never makes an estimate wilder than this. */
const widest = 4;

export function createContextManager(given: number | undefined): ContextManager {
  const learnt = new Map<string, number>();
  const ratios = new Map<string, number>();

  function windowOf({ label, modelId }: ContextModel): number | undefined {
    return given ?? learnt.get(label) ?? knownWindowOf(modelId);
  }

  return {
    windowOf,
    learn: ({ label }, window) => void learnt.set(label, window),
    push(event) {
      if (event.type !== "context.compacted" || event.cause !== "refused") return;
      if (event.after.window !== undefined) learnt.set(event.model, event.after.window);
    },
    sizeOf(prompt, model) {
      const tokens = Math.round(tokensOfMessages(prompt) * (ratios.get(model.label) ?? 1));
      const window = windowOf(model);
      return window === undefined ? { tokens } : { tokens, window };
    },
    measured(prompt, { label }, inputTokens) {
      const estimate = tokensOfMessages(prompt);
      if (estimate === 0 || inputTokens === 0) return;
      ratios.set(label, Math.min(widest, Math.max(1 / widest, inputTokens / estimate)));
    },
  };
}
