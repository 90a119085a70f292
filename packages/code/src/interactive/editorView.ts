/** The editor as rows of a given width, and where the cursor stands in them. Pure. */
import { type Line, span } from "../door/spans.js";
import { paintableText } from "../door/terminalText.js";
import { graphemesOf, graphemeWidth } from "../door/textWidth.js";
import type { EditorState } from "./editor.js";

export interface EditorRows {
  readonly rows: readonly Line[];
  readonly cursor: { readonly row: number; readonly column: number };
}

const indent = 2;

/** Of a long text the rows around the cursor are shown. */
export function editorRows(
  { text, cursor }: EditorState,
  columns: number,
  mostRows: number,
  placeholder: string,
): EditorRows {
  const room = Math.max(4, columns - indent - 1);
  const rows: string[] = [""];
  let width = 0;
  let place = { row: 0, column: 0 };
  let at = 0;
  const mark = (): void => {
    if (at === cursor) place = { row: rows.length - 1, column: width };
  };
  const append = (shown: string): void => {
    rows[rows.length - 1] += shown;
  };
  for (const grapheme of graphemesOf(text)) {
    mark();
    at += grapheme.length;
    if (grapheme === "\n") {
      rows.push("");
      width = 0;
      continue;
    }
    const shown = paintableText(grapheme);
    const step = shown === grapheme ? graphemeWidth(grapheme) : shown.length;
    if (width + step > room) {
      rows.push("");
      width = 0;
    }
    append(shown);
    width += step;
  }
  mark();
  const first = Math.max(0, Math.min(place.row - mostRows + 1, rows.length - mostRows));
  const shown = rows.slice(first, first + mostRows);
  return {
    rows: shown.map((row, index) => [
      span(first + index === 0 ? "> " : "  ", "accent"),
      text === "" ? span(placeholder, "dim") : span(row),
    ]),
    cursor: { row: place.row - first, column: place.column + indent },
  };
}
