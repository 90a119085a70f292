/**
 * When something that waits is due. A stream shows its first words soon and then at growing intervals;
 * what replaces a growing text waits longer than what appends. Boundaries are not paced at all.
 */
export interface Pace {
  /** How long the words of a message wait for more. */
  readonly messageMs: number;
  /** How long the first piece of a stream waits. */
  readonly firstMs: number;
  /** By what factor each later piece waits longer, and the longest wait, where pieces are appended. */
  readonly appendGrowth: number;
  readonly appendMs: number;
  /** The same if a content is replaced repeatedly. */
  readonly replaceGrowth: number;
  readonly replaceMs: number;
  /** More than this waiting is due at once. */
  readonly maxHeldChars: number;
  /** Beyond this a session's reader should wait until the pipe has taken some. */
  readonly readyChars: number;
  /** How often a failed write is retried in a row, and the pause before the first retry. */
  readonly attempts: number;
  readonly retryMs: number;
}

export const defaultPace: Pace = {
  messageMs: 40,
  firstMs: 100,
  appendGrowth: 4,
  appendMs: 1_200,
  replaceGrowth: 1.5,
  replaceMs: 5_000,
  maxHeldChars: 16_384,
  readyChars: 262_144,
  attempts: 5,
  retryMs: 50,
};

export type Rhythm = "message" | "append" | "replace" | "whole";

/** `flushes` counts how often the same stream was sent before. */
export function waitOf(rhythm: Rhythm, flushes: number, pace: Pace): number {
  if (rhythm === "message") return pace.messageMs;
  if (rhythm === "whole") return pace.firstMs;
  const isAppended = rhythm === "append";
  const growth = isAppended ? pace.appendGrowth : pace.replaceGrowth;
  const longest = isAppended ? pace.appendMs : pace.replaceMs;
  return Math.min(longest, pace.firstMs * growth ** Math.min(Math.max(0, flushes), 64));
}
