/**
 * A growing text for a surface that can only replace: its end, sent again when enough is new. What is sent again is no
 * longer than what was added since, so the sum stays linear. The text itself is kept up to twice its window.
 */

export interface LiveLimits {
  /** How much of the end is shown. */
  readonly window: number;
  /** Nothing is shown before this many characters. */
  readonly first: number;
  /** How many times as long as at the last showing the text must be, until the window is full. */
  readonly growth: number;
  /** Whether a full window waits for growth too, or for as much as it holds. */
  readonly keepsGrowing: boolean;
  /** New text is sent after this time, even if it is short; by the times of the events. */
  readonly everyMs: number;
}

/** Arguments are soon sent whole, so only few previews of them are sent. */
export const inputLimits: LiveLimits = {
  window: 120,
  first: 256,
  growth: 4,
  keepsGrowing: true,
  everyMs: 2_000,
};

export const outputLimits: LiveLimits = {
  window: 2_000,
  first: 1,
  growth: 2,
  keepsGrowing: false,
  everyMs: 5_000,
};

export interface LiveText {
  /** The end of the text; at least a window of it, if there is that much. */
  readonly tail: string;
  readonly length: number;
  readonly shownLength: number;
  readonly shownAt: number;
}

export const noText: LiveText = { tail: "", length: 0, shownLength: 0, shownAt: 0 };

export function grownBy(live: LiveText, text: string, window: number, at: number): LiveText {
  const whole = live.tail + text;
  return {
    tail: whole.length > 2 * window ? whole.slice(-window) : whole,
    length: live.length + text.length,
    shownLength: live.shownLength,
    shownAt: live.length === 0 ? at : live.shownAt,
  };
}

export function isDue(live: LiveText, limits: LiveLimits, at: number): boolean {
  const { length, shownLength, shownAt } = live;
  if (length === shownLength) return false;
  if (at - shownAt >= limits.everyMs) return true;
  if (shownLength === 0) return length >= limits.first;
  const isFull = !limits.keepsGrowing && shownLength >= limits.window;
  return length >= (isFull ? shownLength + limits.window : shownLength * limits.growth);
}

export function shownNow(live: LiveText, at: number): LiveText {
  return { ...live, shownLength: live.length, shownAt: at };
}

/** The visible part: all, or the end after an ellipsis. */
export function windowOf({ tail, length }: LiveText, window: number): string {
  return length <= window ? tail : `…${wellFormed(tail.slice(-window))}`;
}

/** The same of JSON text: with the commonest escapes read, as far as the window shows them whole. */
export function argumentWindow(live: LiveText, window: number): string {
  return windowOf(live, window)
    .replace(/\\(u[\da-fA-F]{0,3})?$/, "")
    .replaceAll(/\\(?:u([\da-fA-F]{4})|(.))/g, (_, code: string | undefined, sign: string) =>
      code === undefined ? (escapes[sign] ?? sign) : String.fromCharCode(Number.parseInt(code, 16)),
    );
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r", b: "\b", f: "\f" };

function wellFormed(text: string): string {
  return /^[\uDC00-\uDFFF]/.test(text) ? text.slice(1) : text;
}
