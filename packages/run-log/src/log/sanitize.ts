/**
 * Sanitizes malformed text: lone surrogates become U+FFFD, stray control characters are removed. Tabs and line ends
 * stay; escape characters stay only if the colours of a tool are wanted. Well-formed text is returned unchanged.
 */
const suspect = /[^\P{Cc}\t\n\r]|\p{Cs}/u;
const suspects = /[^\P{Cc}\t\n\r]|\p{Cs}/gu;
/** The log of a database takes neither. */
const unstorable = /[\0\p{Cs}]/u;
const unstorables = /[\0\p{Cs}]/gu;
const escapeCharacter = "\u001b";
/** Replaces half a character that is never completed. */
export const replacement = "\ufffd";

export interface SanitizeOptions {
  /** Keeps U+001B, for output whose colours a surface renders itself. Default false. */
  readonly keepEscapes?: boolean;
  /** Keeps every control character but U+0000, for text that must arrive as it was sent. Default false. */
  readonly keepControls?: boolean;
}

export function sanitizeText(text: string, options: SanitizeOptions = {}): string {
  if (options.keepControls) {
    return unstorable.test(text) ? text.replace(unstorables, replacement) : text;
  }
  if (!suspect.test(text)) return text;
  return text.replace(suspects, (found) => {
    if (found >= "\ud800") return replacement;
    return options.keepEscapes && found === escapeCharacter ? found : "";
  });
}

/** Whether a piece of text needs no change, and no piece after it. */
export function isCleanPiece(piece: string, options: SanitizeOptions): boolean {
  return !endsInHighSurrogate(piece) && sanitizeText(piece, options) === piece;
}

/**
 * The same for a text that arrives in pieces, in which a surrogate pair may be split between two of them: `half` is what
 * the previous piece held back, and is returned for the next piece.
 */
export function sanitizePiece(
  half: string,
  piece: string,
  options: SanitizeOptions = {},
): { readonly text: string; readonly half: string } {
  const whole = half + piece;
  if (!endsInHighSurrogate(whole)) return { text: sanitizeText(whole, options), half: "" };
  return { text: sanitizeText(whole.slice(0, -1), options), half: whole.slice(-1) };
}

/** The pieces of a text, one after the other, for callers that keep state. */
export interface TextSanitizer {
  push(piece: string): string;
  /** The held half, if it is never completed. */
  readonly rest: string;
}

export function createTextSanitizer(options: SanitizeOptions = {}): TextSanitizer {
  let half = "";
  return {
    push(piece) {
      const next = sanitizePiece(half, piece, options);
      half = next.half;
      return next.text;
    },
    get rest() {
      return half === "" ? "" : replacement;
    },
  };
}

function endsInHighSurrogate(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
