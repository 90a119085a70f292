/** The models that an editor offers: those of providers whose key is set. */
import type { ModelChoice } from "@callboard/acp";

interface Provider {
  readonly variables: readonly string[];
  readonly models: readonly ModelChoice[];
}

const providers: readonly Provider[] = [
  {
    variables: ["ANTHROPIC_API_KEY"],
    models: [
      { id: "anthropic:claude-sonnet-4-5", name: "Claude Sonnet 4.5" },
      { id: "anthropic:claude-opus-4-5", name: "Claude Opus 4.5" },
      { id: "anthropic:claude-haiku-4-5", name: "Claude Haiku 4.5" },
    ],
  },
  {
    variables: ["OPENAI_API_KEY"],
    models: [
      { id: "openai:gpt-5", name: "GPT-5" },
      { id: "openai:gpt-5-mini", name: "GPT-5 mini" },
      { id: "openai:gpt-4.1", name: "GPT-4.1" },
    ],
  },
  {
    variables: ["GOOGLE_GENERATIVE_AI_API_KEY"],
    models: [
      { id: "google:gemini-2.5-pro", name: "Gemini 2.5 Pro" },
      { id: "google:gemini-2.5-flash", name: "Gemini 2.5 Flash" },
    ],
  },
];

/** `CALLBOARD_MODELS`, names with commas between, takes the place of the list. */
export function modelChoices(
  env: Readonly<Record<string, string | undefined>>,
): readonly ModelChoice[] {
  const named = env.CALLBOARD_MODELS?.split(",").map((name) => name.trim()) ?? [];
  const chosen = named.filter((name) => name !== "").map((id) => ({ id, name: id }));
  if (chosen.length > 0) return chosen;
  return providers.flatMap(({ variables, models }) =>
    variables.some((variable) => (env[variable] ?? "") !== "") ? models : [],
  );
}
