/**
 * The editor as rows of a given width, and the position of the cursor in them. Only the visible lines are laid out, so
 * that a key costs the same in a text of any length. Pure.
 */
import { type Line, span } from "../door/spans.js";
import { paintableText } from "../door/terminalText.js";
import { graphemesOf, graphemeWidth } from "../door/textWidth.js";
import { type EditorState, lineEnd, lineStart } from "./editor.js";

export interface EditorRows {
  readonly rows: readonly Line[];
  readonly cursor: { readonly row: number; readonly column: number };
}

const indent = 2;
const isPlain = /^[\x20-\x7e]*$/;

/** Of a long text the rows that end with the cursor's are shown, or the first ones. */
export function editorRows(
  { text, cursor }: EditorState,
  columns: number,
  mostRows: number,
  placeholder: string,
): EditorRows {
  const room = Math.max(4, columns - indent - 1);
  const start = lineStart(text, cursor);
  const end = lineEnd(text, cursor);
  const own = brokenLine(text.slice(start, end), room, cursor - start);
  const above = rowsAbove(text, start, room, mostRows - 1 - own.row);
  const rows = [...above.rows, ...own.rows];
  const row = above.rows.length + own.row;
  const first = Math.max(0, row - mostRows + 1);
  const shown = rows.slice(first, first + mostRows);
  if (shown.length < mostRows) {
    shown.push(...rowsBelow(text, end, room, mostRows - shown.length));
  }
  const isTop = above.isWhole && first === 0;
  return {
    rows: shown.map((content, index) => [
      span(isTop && index === 0 ? "> " : "  ", "accent"),
      text === "" ? span(placeholder, "dim") : span(content),
    ]),
    cursor: { row: row - first, column: own.column + indent },
  };
}

/** The last rows of what comes before a line, as many as are wanted. */
function rowsAbove(
  text: string,
  start: number,
  room: number,
  wanted: number,
): { readonly rows: readonly string[]; readonly isWhole: boolean } {
  let rows: readonly string[] = [];
  let at = start;
  while (at > 0 && rows.length < wanted) {
    const from = lineStart(text, at - 1);
    rows = [...brokenLine(text.slice(from, at - 1), room).rows, ...rows];
    at = from;
  }
  const isWhole = at === 0 && rows.length <= Math.max(0, wanted);
  return { rows: wanted <= 0 ? [] : rows.slice(-wanted), isWhole };
}

function rowsBelow(text: string, end: number, room: number, wanted: number): readonly string[] {
  const rows: string[] = [];
  for (let at = end; at < text.length && rows.length < wanted; ) {
    const to = lineEnd(text, at + 1);
    rows.push(...brokenLine(text.slice(at + 1, to), room).rows);
    at = to;
  }
  return rows.slice(0, wanted);
}

interface BrokenLine {
  readonly rows: readonly string[];
  /** The position of the cursor, if one was given. */
  readonly row: number;
  readonly column: number;
}

/** One line without its end, broken at the width. */
function brokenLine(line: string, room: number, cursor = -1): BrokenLine {
  if (isPlain.test(line)) return brokenPlainLine(line, room, cursor);
  const rows: string[] = [];
  let row = "";
  let width = 0;
  let place = { row: 0, column: 0 };
  let at = 0;
  for (const grapheme of graphemesOf(line)) {
    if (at === cursor) place = { row: rows.length, column: width };
    at += grapheme.length;
    const shown = paintableText(grapheme);
    const step = shown === grapheme ? graphemeWidth(grapheme) : shown.length;
    if (width + step > room) {
      rows.push(row);
      row = "";
      width = 0;
    }
    row += shown;
    width += step;
  }
  if (at === cursor) place = { row: rows.length, column: width };
  return { rows: [...rows, row], ...place };
}

function brokenPlainLine(line: string, room: number, cursor: number): BrokenLine {
  const rows: string[] = [];
  for (let at = 0; at < line.length; at += room) rows.push(line.slice(at, at + room));
  if (rows.length === 0) rows.push("");
  // After the last character of a full row the cursor is still in that row.
  const isBehind = cursor > 0 && cursor % room === 0;
  const row = cursor <= 0 ? 0 : Math.floor(cursor / room) - (isBehind ? 1 : 0);
  return { rows, row, column: Math.max(0, cursor) - row * room };
}
