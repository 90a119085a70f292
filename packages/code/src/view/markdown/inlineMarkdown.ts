/**
 * Bold, italic, code and links inside a line. The meaning of a marker depends on the text alone, never on its pieces: a
 * marker opens only if its other half follows within a bounded distance, and while that is unknown the rest is
 * undecided. Markers that open nothing are text. Pure.
 */
import type { Style } from "../../door/spans.js";

export interface OpenMarker {
  readonly marker: string;
  readonly style: Style;
}

export interface InlineToken {
  readonly text: string;
  readonly style: Style;
  /** Where the token ends in the source; `undividable` inside of a link. */
  readonly end: number;
  /** The open markers after it. */
  readonly open: readonly OpenMarker[];
}

/** The end of a token behind which the source cannot be cut. */
export const undividable = -1;

/** How far the other half of a marker may be. */
const reach = 400;
const longestLink = 600;
const token = /`+|\*\*|__|[*_]|\[|\s+|[^\s`*_[]+/y;

/** What came before a source that is the rest of a line. */
export interface Behind {
  readonly open: readonly OpenMarker[];
  /** The last character; empty at the start of a line. */
  readonly character: string;
}

/** Of a line that is not whole, the tokens that are decided. */
export function inlineTokens(
  source: string,
  isWhole: boolean,
  behind: Behind,
  base: Style,
): readonly InlineToken[] {
  const tokens: InlineToken[] = [];
  let { open } = behind;
  let at = 0;
  const put = (text: string, end: number, style?: Style): void => {
    const own = style ?? open.at(-1)?.style ?? base;
    tokens.push({ text, style: own, end, open });
    if (end !== undividable) at = end;
  };
  while (at < source.length) {
    token.lastIndex = at;
    const found = token.exec(source)?.[0] ?? source.charAt(at);
    const end = at + found.length;
    const top = open.at(-1);
    const last = at === 0 ? behind.character : source.charAt(at - 1);
    if (found === top?.marker && isClosing(last, source.charAt(end), found)) {
      open = open.slice(0, -1);
      put("", end);
    } else if (top?.style === "accent") {
      put(found, end);
    } else if (found === "[") {
      const link = linkAt(source, at, isWhole);
      if (link === "undecided") return tokens;
      if (link === undefined) put(found, end);
      else {
        const linkEnd = at + link.length;
        for (const word of link.text.match(/\s+|\S+/g) ?? []) put(word, undividable);
        if (link.url !== link.text) put(` (${link.url})`, undividable, "dim");
        put("", linkEnd, "dim");
      }
    } else if (isMarker(found) && canOpen(last, source.charAt(end), found)) {
      const pair = pairOf(source, end, found, isWhole);
      if (pair === "undecided") return tokens;
      if (pair === "none") put(found, end);
      else {
        open = [...open, { marker: found, style: styleOf(found) }];
        put("", end);
      }
    } else put(found, end);
  }
  // A marker at the very end may be the first half of a longer one.
  return !isWhole && /[`*_]$/.test(source) ? tokens.slice(0, -1) : tokens;
}

function isMarker(text: string): boolean {
  return /^(?:`+|\*\*?|__?)$/.test(text);
}

function styleOf(marker: string): Style {
  if (marker.startsWith("`")) return "accent";
  return marker.length === 2 ? "bold" : "italic";
}

/** `snake_case`, `2 * 3` and `src/**` open nothing. */
function canOpen(last: string, next: string, marker: string): boolean {
  if (marker.startsWith("`")) return true;
  const isBehindWord = /[\p{L}\p{N}]/u.test(last);
  return !isBehindWord && /[\p{L}\p{N}"'`([*_]/u.test(next);
}

function isClosing(last: string, next: string, marker: string): boolean {
  if (marker.startsWith("`")) return true;
  const isBehindText = /\S/.test(last);
  // Names of files are not emphasis: `__init__.py`.
  if (marker.startsWith("_")) return isBehindText && /^(?:[\s,;:!?)"']|$)/.test(next);
  return isBehindText && !/[\p{L}\p{N}]/u.test(next);
}

/** Whether the other half follows. */
function pairOf(
  source: string,
  from: number,
  marker: string,
  isWhole: boolean,
): "found" | "none" | "undecided" {
  for (let at = source.indexOf(marker, from); at !== -1 && at - from <= reach; ) {
    const end = at + marker.length;
    // The next character decides, and is not known yet.
    if (end === source.length && !isWhole) return "undecided";
    const isLonger =
      source.charAt(end) === marker.charAt(0) || source.charAt(at - 1) === marker.charAt(0);
    const isEnd = isClosing(source.charAt(at - 1), source.charAt(end), marker);
    if (at > from && !isLonger && isEnd) return "found";
    at = source.indexOf(marker, at + 1);
  }
  return isWhole || source.length - from > reach + marker.length ? "none" : "undecided";
}

function linkAt(
  source: string,
  at: number,
  isWhole: boolean,
):
  | { readonly text: string; readonly url: string; readonly length: number }
  | "undecided"
  | undefined {
  const found = /^\[([^[\]\n]+)\]\(([^()\s]+)\)/.exec(source.slice(at, at + longestLink));
  if (found !== null) {
    const [whole, text = "", url = ""] = found;
    return { text, url, length: whole.length };
  }
  const isOpen = /^\[[^[\]]*(?:\](?:\([^()\s]*)?)?$/.test(source.slice(at, at + longestLink));
  return isOpen && !isWhole && source.length - at < longestLink ? "undecided" : undefined;
}
