/** The form of a known secret. */
export interface SecretFormat {
  /** The word that takes the secret's place: `[redacted:<kind>]`. */
  readonly kind: string;
  /**
   * Matched inside one unbroken run of characters. Every repetition is bounded and no match is longer than 8,192
   * characters. The content of the first group is kept.
   */
  readonly pattern: RegExp;
}

/** A secret without a letter or digit directly before it. */
export const format = (kind: string, pattern: string): SecretFormat => ({
  kind,
  pattern: new RegExp(`(?<![A-Za-z0-9])${pattern}`, "g"),
});
