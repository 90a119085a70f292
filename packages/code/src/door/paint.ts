/** Lines as a terminal takes them. The only escape codes for colours are made here. */
import pc from "picocolors";
import type { Line, Style } from "./spans.js";
import { paintableText } from "./terminalText.js";

export type Paint = (line: Line) => string;

type Brush = (text: string) => string;

export function createPaint(hasColour: boolean): Paint {
  const colours = pc.createColors(hasColour);
  const brushes: Readonly<Record<Style, Brush>> = {
    plain: (text) => text,
    dim: colours.dim,
    bold: colours.bold,
    italic: colours.italic,
    good: colours.green,
    bad: colours.red,
    warn: colours.yellow,
    accent: colours.cyan,
  };
  return (line) => line.map(({ text, style }) => brushes[style](paintableText(text))).join("");
}
