/**
 * What the assistant says, as lines that are printed once: a line is handed out when nothing can
 * change it any more, and what is left is the unfinished tail. Headings and code are told apart by
 * style alone; no character of the text is left out.
 */
import { type Line, lineOf, type Style } from "../door/spans.js";
import { createTextCleaner } from "../door/terminalText.js";
import { wrapText } from "../door/textWidth.js";

export interface ProseWriter {
  /** The lines that this piece completes. */
  push(chunk: string, columns: number): readonly Line[];
  /** The tail becomes a line; the next text begins anew. */
  end(columns: number): readonly Line[];
  /** The unfinished line, at most a row. */
  readonly tail: Line | undefined;
}

export function createProseWriter(base: Style): ProseWriter {
  let cleaner = createTextCleaner();
  let isInCode = false;
  let tail = "";
  /** The style of a paragraph is told by its first row. */
  let tailStyle: Style | undefined;

  function styleOf(text: string): Style {
    if (base !== "plain") return base;
    if (isInCode) return "accent";
    return /^#{1,6} /.test(text) ? "bold" : "plain";
  }

  function rowsOf(text: string, columns: number): readonly Line[] {
    const isFence = text.trimStart().startsWith("```");
    const style = isFence ? "dim" : (tailStyle ?? styleOf(text));
    if (isFence && base === "plain") isInCode = !isInCode;
    tailStyle = undefined;
    return wrapText(text, columns).map((row) => lineOf(row, style));
  }

  function taken(text: string, columns: number): readonly Line[] {
    const paragraphs = (tail + text).split("\n");
    const last = paragraphs.pop() ?? "";
    const lines = paragraphs.flatMap((paragraph) => rowsOf(paragraph, columns));
    const rows = wrapText(last, columns);
    tail = rows.at(-1) ?? "";
    // Trailing space counts: the next piece may go on with a word.
    if (rows.length === 1) tail = last;
    else tail += /\s+$/.exec(last)?.[0] ?? "";
    if (rows.length > 1) {
      const style = tailStyle ?? styleOf(last);
      tailStyle = style;
      for (const row of rows.slice(0, -1)) lines.push(lineOf(row, style));
    }
    return lines;
  }

  return {
    push: (chunk, columns) => taken(cleaner.push(chunk), columns),
    end(columns) {
      const lines = taken(cleaner.end(), columns);
      const rest = tail === "" ? [] : rowsOf(tail, columns);
      cleaner = createTextCleaner();
      isInCode = false;
      tail = "";
      tailStyle = undefined;
      return [...lines, ...rest];
    },
    get tail() {
      return tail === "" ? undefined : lineOf(tail, tailStyle ?? styleOf(tail));
    },
  };
}
