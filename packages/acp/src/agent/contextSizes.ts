/** How many tokens well-known models hold, for editors that show how full a session is. */
const sizes: readonly (readonly [RegExp, number])[] = [
  [/claude/, 200_000],
  [/gpt-4\.1/, 1_047_576],
  [/gpt-5/, 400_000],
  [/gpt-4o/, 128_000],
  [/gemini/, 1_048_576],
];

/** Undefined for any other model: a made-up size would be worse than none. */
export function contextSizeOf(model: string): number | undefined {
  return sizes.find(([pattern]) => pattern.test(model))?.[1];
}
