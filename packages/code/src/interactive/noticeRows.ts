/** Texts of the program, in rows that fit: broken between words, and tables keep their columns. Pure. */
import { type Line, plainText, wrapLine } from "../door/spans.js";

export function noticeRows(line: Line, columns: number): readonly Line[] {
  return wrapLine(line, columns, hangingIndent(line, columns));
}

/** Rows after the first start at the text column of a table's row; elsewhere with a small indent. */
function hangingIndent(line: Line, columns: number): number {
  const text = plainText(line);
  const [table = ""] = /^ *\S+(?: \S+)* {2,}/.exec(text.slice(0, columns / 2)) ?? [];
  return table.length > 0 ? table.length : text.length - text.trimStart().length + 2;
}
