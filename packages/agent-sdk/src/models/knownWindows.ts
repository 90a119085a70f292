/**
 * The context windows of well-known models in tokens. A model that is not listed has no known window: a guess would
 * compact too early or never. `contextWindow` and a value from the provider take precedence.
 */
const windows: readonly (readonly [RegExp, number])[] = [
  [/claude.*\[1m\]/, 1_000_000],
  [/claude/, 200_000],
  [/gpt-4\.1/, 1_047_576],
  [/gpt-5/, 400_000],
  [/gpt-4o|gpt-4-turbo/, 128_000],
  [/\bo[134](?:-|$)/, 200_000],
  [/gemini/, 1_048_576],
  [/grok-4/, 256_000],
  [/deepseek/, 128_000],
  [/mistral|codestral|devstral/, 128_000],
];

export function knownWindowOf(modelId: string): number | undefined {
  return windows.find(([pattern]) => pattern.test(modelId))?.[1];
}
