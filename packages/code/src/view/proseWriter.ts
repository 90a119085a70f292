/**
 * The assistant's text, drawn as Markdown, in lines that are printed once: a row is returned when it can no longer
 * change, and the unfinished rows are left. The rows depend on the text alone, not on its pieces, and the cost of a
 * piece depends on the piece alone.
 */
import { type Line, lineOf, type Style, span } from "../door/spans.js";
import { createTextCleaner } from "../door/terminalText.js";
import { graphemesOf, graphemeWidth, widthOf, wrapText } from "../door/textWidth.js";
import {
  type Behind,
  type InlineToken,
  inlineTokens,
  type OpenMarker,
  undividable,
} from "./markdown/inlineMarkdown.js";
import { type MarkdownLine, markdownLineOf } from "./markdown/markdownLine.js";

export interface ProseWriter {
  /** The rows that this piece completes. */
  push(chunk: string, columns: number): readonly Line[];
  /** Unfinished text becomes rows; the next text starts again. */
  end(columns: number): readonly Line[];
  /** The unfinished rows, few of them. */
  tail(columns: number): readonly Line[];
}

/** A line of the source of which some rows were handed out. */
interface Begun {
  readonly line: MarkdownLine;
  readonly behind: Behind;
}

interface Row {
  readonly line: Line;
  readonly end: number;
  readonly open: readonly OpenMarker[];
}

/** The longest prefix of a line that decides its kind. */
const longestBeginning = 64;
const longestRule = 40;

export function createProseWriter(base: Style): ProseWriter {
  let cleaner = createTextCleaner();
  let isInCode = false;
  let source = "";
  let begun: Begun | undefined;

  function lineOfSource(): MarkdownLine {
    const line = markdownLineOf(source.slice(0, longestBeginning));
    return base === "plain" ? line : { ...line, style: base, prefixStyle: base };
  }

  function rows(columns: number, isWhole: boolean): readonly Row[] {
    const line = begun?.line ?? lineOfSource();
    const start = begun === undefined ? line.taken : 0;
    const behind = begun?.behind ?? { open: [], character: "" };
    const painted = inlineTokens(source.slice(start), isWhole, behind, line.style).map(
      (token): InlineToken => ({
        ...token,
        end: token.end === undividable ? undividable : token.end + start,
        style: base === "plain" ? token.style : base,
      }),
    );
    const prefix = begun === undefined ? line.first : line.rest;
    return rowsOf(painted, line, prefix, columns);
  }

  /** A line that is complete. */
  function finished(columns: number): readonly Line[] {
    const line = begun?.line ?? lineOfSource();
    const isFence = begun === undefined && line.type === "fence";
    if (base === "plain" && isFence) {
      isInCode = !isInCode;
      return lineRows(source.trim(), "dim", columns);
    }
    if (isInCode) return lineRows(source, "accent", columns);
    if (begun === undefined && line.type === "rule") {
      return [lineOf("─".repeat(Math.min(columns, longestRule)), "dim")];
    }
    return rows(columns, true).map((row) => row.line);
  }

  /** The rows of an unfinished line that can no longer change. */
  function settled(columns: number): readonly Line[] {
    if (isInCode || source.length <= columns || source.length < longestBeginning) return [];
    if (begun === undefined && lineOfSource().type !== "text") return [];
    const line = begun?.line ?? lineOfSource();
    const complete = rows(columns, false).slice(0, -1);
    const lastAt = complete.findLastIndex(({ end }) => end !== undividable);
    const last = complete[lastAt];
    if (last === undefined) return [];
    const done = complete.slice(0, lastAt + 1);
    const rest = source.slice(last.end);
    const character = rest === rest.trimStart() ? source.charAt(last.end - 1) : " ";
    source = rest.trimStart();
    begun = { line, behind: { open: last.open, character } };
    return done.map((row) => row.line);
  }

  function taken(text: string, columns: number): readonly Line[] {
    const lines: Line[] = [];
    const pieces = text.split("\n");
    const rest = pieces.pop() ?? "";
    for (const piece of pieces) {
      source += piece;
      lines.push(...finished(columns));
      source = "";
      begun = undefined;
    }
    source += rest;
    return rest === "" ? lines : [...lines, ...settled(columns)];
  }

  return {
    push: (chunk, columns) => taken(cleaner.push(chunk), columns),
    end(columns) {
      const lines = taken(cleaner.end(), columns);
      const rest = source === "" ? [] : finished(columns);
      cleaner = createTextCleaner();
      isInCode = false;
      source = "";
      begun = undefined;
      return [...lines, ...rest];
    },
    tail(columns) {
      if (source === "") return [];
      if (isInCode) return lineRows(source, "accent", columns).slice(-1);
      if (begun === undefined && lineOfSource().type !== "text")
        return lineRows(source, "dim", columns);
      return rows(columns, true).map((row) => row.line);
    },
  };
}

function lineRows(text: string, style: Style, columns: number): readonly Line[] {
  return wrapText(text, columns).map((row) => lineOf(row, style));
}

/** Words in rows of the width; a word that is wider than a row is broken. */
function rowsOf(
  tokens: readonly InlineToken[],
  { rest, prefixStyle }: MarkdownLine,
  first: string,
  columns: number,
): readonly Row[] {
  const rows: Row[] = [];
  let prefix = first;
  let spans: { text: string; style: Style }[] = [];
  let width = 0;
  let mark: Pick<Row, "end" | "open"> = { end: 0, open: [] };
  const room = (): number => Math.max(2, columns - widthOf(prefix));
  const close = (): void => {
    const last = spans.at(-1);
    if (last !== undefined) last.text = last.text.trimEnd();
    const words = spans
      .filter(({ text }) => text !== "")
      .map(({ text, style }) => span(text, style));
    rows.push({ line: prefix === "" ? words : [span(prefix, prefixStyle), ...words], ...mark });
    prefix = rest;
    spans = [];
    width = 0;
  };
  const add = (text: string, style: Style): void => {
    const last = spans.at(-1);
    if (last?.style === style) last.text += text;
    else spans.push({ text, style });
    width += widthOf(text);
  };
  const addBroken = ({ text, style, end, open }: InlineToken): void => {
    let at = end - text.length;
    // The rest of a marker would be read as another marker.
    const isUndividable = end === undividable || /^[`*_]+$/.test(text);
    for (const grapheme of graphemesOf(text)) {
      if (width + graphemeWidth(grapheme) > room()) close();
      add(grapheme, style);
      at += grapheme.length;
      mark = { end: isUndividable ? undividable : at, open };
    }
  };
  for (const word of inlineWordsOf(tokens)) {
    const step = word.reduce((sum, { text }) => sum + widthOf(text), 0);
    const isSpace = word.every(({ text }) => text.trim() === "");
    const fits = width + step <= room();
    if (!fits && width > 0) close();
    if (isSpace && (!fits || width === 0)) continue;
    for (const token of word) {
      if (step > room()) addBroken(token);
      else add(token.text, token.style);
      mark = { end: token.end, open: token.open };
    }
  }
  if (spans.length > 0 || rows.length === 0) close();
  return rows;
}

/** Tokens with nothing between them are one word. */
function inlineWordsOf(tokens: readonly InlineToken[]): readonly (readonly InlineToken[])[] {
  const words: InlineToken[][] = [];
  let isGoingOn = false;
  for (const token of tokens) {
    const isSpace = /^\s/.test(token.text);
    if (isGoingOn && !isSpace) words.at(-1)?.push(token);
    else words.push([token]);
    isGoingOn = !isSpace || token.text.trim() !== "";
  }
  return words;
}
