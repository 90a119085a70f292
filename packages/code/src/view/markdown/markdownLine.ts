/** The kind of a line of Markdown by its start: a heading, a list, a quote, a fence, a paragraph. Pure. */
import type { Style } from "../../door/spans.js";

export interface MarkdownLine {
  readonly type: "text" | "rule" | "fence";
  /** The prefix of the first row, and of the others. */
  readonly first: string;
  readonly rest: string;
  readonly prefixStyle: Style;
  /** Of what is not marked otherwise. */
  readonly style: Style;
  /** How much of the source the prefix took. */
  readonly taken: number;
}

const text: MarkdownLine = {
  type: "text",
  first: "",
  rest: "",
  prefixStyle: "dim",
  style: "plain",
  taken: 0,
};

const boxes: Readonly<Record<string, string>> = { " ": "☐", x: "☑", X: "☑" };

export function markdownLineOf(source: string): MarkdownLine {
  if (/^ {0,3}(?:```|~~~)/.test(source)) return { ...text, type: "fence", style: "dim" };
  if (/^ {0,3}(?:-{3,}|\*{3,}|_{3,})\s*$/.test(source)) return { ...text, type: "rule" };
  const heading = /^ {0,3}#{1,6}\s+/.exec(source);
  if (heading !== null) return { ...text, style: "bold", taken: heading[0].length };
  const item = /^(\s*)(?:[-*+]|(\d{1,9}[.)]))\s+(?:\[([ xX])\]\s+)?/.exec(source);
  if (item !== null) {
    const [whole, indent = "", number, box] = item;
    const sign = box === undefined ? (number ?? "•") : (boxes[box] ?? "•");
    const first = `${indent.slice(0, 12)}${sign} `;
    return {
      ...text,
      first,
      rest: " ".repeat(first.length),
      prefixStyle: "plain",
      taken: whole.length,
    };
  }
  const quote = /^ {0,3}(?:>\s?)+/.exec(source);
  if (quote !== null) return { ...text, first: "│ ", rest: "│ ", taken: quote[0].length };
  const indent = /^ */.exec(source)?.[0] ?? "";
  if (indent.length > 12) return text;
  return { ...text, first: indent, rest: indent, taken: indent.length };
}
