/**
 * What a person said, as rows that do not fill the screen: attached files are shown by name and size, and the
 * middle of a long text by its length. The model gets all of it.
 */
import { type Line, lineOf, span } from "../door/spans.js";
import { cleanText, exactText } from "../door/terminalText.js";
import { wrapText } from "../door/textWidth.js";
import { countText } from "./quantities.js";

export interface UserText {
  readonly text: string;
  readonly images: number;
}

const mostRows = 20;
const shownRows = 10;
/** As `@path` puts it behind a message. */
const attached =
  /\n\n<(file|folder) path=("(?:[^"\\]|\\.)*")>((?:(?!\n\n<(?:file|folder) path=")[\s\S])*)<\/\1>$/;

export function userLines(
  { text, images }: UserText,
  columns: number,
  isWhole: boolean,
): readonly Line[] {
  const { said, names } = isWhole ? { said: text, names: [] } : withoutFiles(text);
  const rows = cleanText(said)
    .split("\n")
    .flatMap((paragraph) => wrapText(paragraph, columns - 2));
  const isLong = !isWhole && rows.length > mostRows;
  const shown = isLong ? rows.slice(0, shownRows) : rows;
  const more = isLong ? [`… ${countText(rows.length - shownRows, "more row")}`] : [];
  const shownImages = images === 0 ? [] : [`+ ${countText(images, "image")}`];
  return [
    ...shown.map((row, index) => [span(index === 0 ? "> " : "  ", "accent"), span(row, "bold")]),
    ...[...more, ...names, ...shownImages].map((note) => lineOf(`  ${note}`, "dim")),
  ];
}

function withoutFiles(text: string): { readonly said: string; readonly names: readonly string[] } {
  const names: string[] = [];
  let said = text;
  for (let found = attached.exec(said); found; found = attached.exec(said)) {
    const [whole, kind, path = "", content = ""] = found;
    said = said.slice(0, said.length - whole.length);
    const lines = content.trim().split("\n").length;
    const size = kind === "file" ? countText(lines, "line") : countText(lines, "name");
    names.unshift(`+ ${exactText(path.slice(1, -1))} · ${size}`);
  }
  return { said, names };
}
