/** How hard a model is to think, in the words of each provider. Pure. */
import type { SharedV3ProviderOptions } from "@ai-sdk/provider";
import type { Effort, LanguageModel, ReasoningSettings } from "../types/model.js";

const budgets: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 24_576,
  max: 31_000,
};

/** Tokens to think with, for a provider that counts them. */
export function budgetOf({ effort, thinkingBudget }: ReasoningSettings): number | undefined {
  return thinkingBudget ?? (effort === undefined ? undefined : budgets[effort]);
}

/** The level for a provider that has levels alone: the highest one that a budget covers. */
export function effortOf({ effort, thinkingBudget }: ReasoningSettings): Effort | undefined {
  if (effort !== undefined || thinkingBudget === undefined) return effort;
  return levels.findLast((level) => budgets[level] <= thinkingBudget);
}

/** Levels that every such provider has. */
const levels: readonly Effort[] = ["none", "minimal", "low", "medium", "high"];

export function anthropicReasoning(settings: ReasoningSettings): SharedV3ProviderOptions {
  const budget = budgetOf(settings);
  if (budget === undefined) return {};
  const thinking =
    budget === 0
      ? { type: "disabled" }
      : { type: "enabled", budget_tokens: Math.max(1024, budget) };
  return { anthropic: { thinking } };
}

/** Gemini 3 has levels, earlier models have budgets. */
export function googleReasoning(
  modelId: string,
  settings: ReasoningSettings,
): SharedV3ProviderOptions {
  const { effort, thinkingBudget } = settings;
  if (/gemini-[3-9]/.test(modelId) && effort !== undefined && thinkingBudget === undefined) {
    const level =
      effort === "none" ? "minimal" : effort === "xhigh" || effort === "max" ? "high" : effort;
    return { google: { thinkingConfig: { includeThoughts: true, thinkingLevel: level } } };
  }
  const budget = budgetOf(settings);
  if (budget === undefined) return {};
  return { google: { thinkingConfig: { includeThoughts: budget > 0, thinkingBudget: budget } } };
}

export function openrouterReasoning(settings: ReasoningSettings): SharedV3ProviderOptions {
  const { effort, thinkingBudget } = settings;
  if (thinkingBudget !== undefined)
    return { openai: { reasoning: { max_tokens: thinkingBudget } } };
  return effort === undefined ? {} : { openai: { reasoning: { effort } } };
}

/** Our own models know it themselves; the AI SDK's packages each have their own names for it. */
export function reasoningOptionsOf(
  model: LanguageModel,
  settings: ReasoningSettings,
): SharedV3ProviderOptions {
  if ("reasoningOptions" in model && typeof model.reasoningOptions === "function") {
    return model.reasoningOptions(settings);
  }
  const budget = budgetOf(settings);
  if (budget === undefined) return {};
  const name = model.provider.split(".")[0] ?? "";
  switch (name) {
    case "anthropic":
      return { anthropic: { thinking: { type: "enabled", budgetTokens: Math.max(1024, budget) } } };
    case "google":
    case "vertex":
      return googleReasoning(model.modelId, settings);
    case "amazon-bedrock":
    case "bedrock":
      return { bedrock: { reasoningConfig: { type: "enabled", budgetTokens: budget } } };
    default:
      return { [name]: { reasoningEffort: effortOf(settings) } };
  }
}

/** Options of the same provider are joined; the later ones count. */
export function mergedOptions(
  first: SharedV3ProviderOptions,
  second: SharedV3ProviderOptions,
): SharedV3ProviderOptions {
  const joined = Object.entries(second).map(
    ([name, options]) => [name, { ...first[name], ...options }] as const,
  );
  return { ...first, ...Object.fromEntries(joined) };
}
