/** What a known secret looks like. */
export interface SecretFormat {
  /** The word that takes the secret's place: `[redacted:<kind>]`. */
  readonly kind: string;
  /**
   * Matched inside one unbroken run of characters. Every repetition is bounded and no match is
   * longer than 8,192 characters. What the first group holds is kept.
   */
  readonly pattern: RegExp;
}

/** A secret that no letter or digit stands directly before. */
export const format = (kind: string, pattern: string): SecretFormat => ({
  kind,
  pattern: new RegExp(`(?<![A-Za-z0-9])${pattern}`, "g"),
});
