/** The environment variables that may have a provider's key; the first one that is set counts. */
export const providerKeys = {
  anthropic: ["ANTHROPIC_API_KEY"],
  openai: ["OPENAI_API_KEY"],
  google: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
  openrouter: ["OPENROUTER_API_KEY"],
  groq: ["GROQ_API_KEY"],
  mistral: ["MISTRAL_API_KEY"],
  deepseek: ["DEEPSEEK_API_KEY"],
  xai: ["XAI_API_KEY"],
  azure: ["AZURE_API_KEY", "AZURE_OPENAI_API_KEY"],
} as const satisfies Readonly<Record<string, readonly [string, ...string[]]>>;

export function keyNameOf(provider: string): string | undefined {
  return Object.entries(providerKeys).find(([name]) => name === provider)?.[1][0];
}
