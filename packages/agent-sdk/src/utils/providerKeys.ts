/** The environment variable of each provider's key, in the order in which a key selects its provider. */
export const keyNames: Readonly<Record<string, string>> = {
  anthropic: "ANTHROPIC_API_KEY",
  openai: "OPENAI_API_KEY",
  google: "GOOGLE_GENERATIVE_AI_API_KEY",
  openrouter: "OPENROUTER_API_KEY",
  groq: "GROQ_API_KEY",
  mistral: "MISTRAL_API_KEY",
  deepseek: "DEEPSEEK_API_KEY",
  xai: "XAI_API_KEY",
  azure: "AZURE_API_KEY",
};

export function keyNameOf(provider: string): string | undefined {
  return Object.hasOwn(keyNames, provider) ? keyNames[provider] : undefined;
}
