/** What is shown, without its form: lines of spans in a few styles. Only the terminal writer paints them. */
import { paintableText } from "./terminalText.js";
import { cutText, widthOf, wrapText } from "./textWidth.js";

export type Style = "plain" | "dim" | "bold" | "italic" | "good" | "bad" | "warn" | "accent";

/** Made by `span` alone. */
export interface Span {
  readonly text: string;
  readonly style: Style;
}

export type Line = readonly Span[];

export const emptyLine: Line = [];

/** The text may be foreign: it is made harmless here, so that its width is the one it will have. */
export function span(text: string, style: Style = "plain"): Span {
  return { text: paintableText(text), style };
}

export function lineOf(text: string, style: Style = "plain"): Line {
  return [span(text, style)];
}

export function lineWidth(line: Line): number {
  return line.reduce((sum, { text }) => sum + widthOf(text), 0);
}

/** The line cut to a width; the ellipsis has the style of what it cuts. */
export function cutLine(line: Line, columns: number): Line {
  const cut: Span[] = [];
  let left = columns;
  for (const { text, style } of line) {
    const width = widthOf(text);
    if (width > left) {
      if (left > 0) cut.push(span(cutText(text, left), style));
      return cut;
    }
    cut.push(span(text, style));
    left -= width;
  }
  return cut;
}

/** Rows no wider than `columns`, broken between words; those after the first are indented. */
export function wrapLine(line: Line, columns: number, indent: number): readonly Line[] {
  if (lineWidth(line) <= columns) return [line];
  const words = line.flatMap(({ text, style }) =>
    (text.match(/\s*\S+|\s+$/g) ?? []).map((word) => span(word, style)),
  );
  const rows: Span[][] = [[]];
  let left = columns;
  for (const word of words) {
    const width = widthOf(word.text);
    if (width <= left) {
      rows.at(-1)?.push(word);
      left -= width;
      continue;
    }
    for (const piece of wrapText(word.text.trimStart(), columns - indent)) {
      rows.push([span(" ".repeat(indent)), span(piece, word.style)]);
      left = columns - indent - widthOf(piece);
    }
  }
  return rows.filter((row) => row.length > 0);
}

export function plainText(line: Line): string {
  return line.map(({ text }) => text).join("");
}
