/**
 * `draw-picture-cli <file>`: the interactive mode as an SVG picture for the documents, drawn from an example run by the
 * same view that the terminal uses: finished rows, live rows, and an open question.
 */
import { writeFileSync } from "node:fs";
import { createProjector, createTerminalProjection } from "@callboard/run-log/projections";
import { lifeNamed } from "@callboard/testkit";
import { cutLine, emptyLine, type Line, lineOf, type Style, span } from "../door/spans.js";
import { widthOf } from "../door/textWidth.js";
import { approvalPanel, askingCalls } from "../interactive/approvalPanel.js";
import { emptyEditor } from "../interactive/editor.js";
import { editorRows } from "../interactive/editorView.js";
import { liveRows } from "../view/liveRows.js";
import { createTranscript } from "../view/transcript.js";

const columns = 92;
const rowHeight = 20;
const columnWidth = 8.4;
const margin = 20;

const colours: Readonly<Record<Style, string>> = {
  plain: "#d4d4d8",
  dim: "#8b8b96",
  bold: "#fafafa",
  italic: "#d4d4d8",
  good: "#4ade80",
  bad: "#f87171",
  warn: "#facc15",
  accent: "#67e8f9",
};

/** The run up to the moment when some calls have ended and others have not. */
function rows(): readonly Line[] {
  const log = lifeNamed("tour")?.log ?? [];
  const projector = createProjector(createTerminalProjection());
  const transcript = createTranscript({
    columns: () => columns,
    isSpoken: false,
    isExpanded: () => false,
  });
  const lines: Line[] = [];
  const asked = log.findIndex(({ type }) => type === "call.approval.asked");
  const ended = log.findIndex(({ type }, index) => index > asked && type === "call.closed");
  const isAnswer = (index: number): boolean =>
    index > asked && log[index]?.type === "call.approval.answered";
  const shown = log.slice(0, ended + 1).filter((_, index) => !isAnswer(index));
  for (const event of shown) {
    for (const output of projector.push(event)) lines.push(...transcript.take(output));
  }
  const { memory } = projector;
  const now = (shown.at(-1)?.at ?? 0) + 1_200;
  const live = liveRows(memory.calls, {
    now,
    tick: 2,
    columns,
    mostRows: 20,
    isExpanded: false,
  });
  const [asking] = askingCalls(memory.calls.values());
  const panel =
    asking === undefined
      ? []
      : approvalPanel(asking, {
          columns,
          mostRows: 20,
          count: 1,
          isArmed: true,
          isExpanded: false,
        });
  const editor = editorRows(emptyEditor, columns, 3, "Ask for something, or type /help");
  const facts = [
    span("Esc cancels · ", "dim"),
    span("rehearsal · 3f2a9c11 · 5.1k tokens in, 310 out, $0.02", "dim"),
  ];
  return [...lines, emptyLine, ...live, ...panel, ...editor.rows, facts].map((row) =>
    cutLine(row, columns),
  );
}

/** Spaces would be run together. */
const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  " ": "\u00a0",
};

function escaped(text: string): string {
  return text.replace(/[&<> ]/g, (character) => entities[character] ?? "");
}

function rowElement(row: Line, index: number): string {
  const y = margin + rowHeight * (index + 1);
  let column = 0;
  return row
    .map(({ text, style }) => {
      const x = margin + column * columnWidth;
      column += widthOf(text);
      const weight = style === "bold" ? ' font-weight="600"' : "";
      return `<text x="${x.toFixed(1)}" y="${y}" fill="${colours[style]}"${weight}>${escaped(text)}</text>`;
    })
    .join("");
}

function pictureOf(drawn: readonly Line[]): string {
  const width = Math.round(columns * columnWidth + 2 * margin);
  const height = drawn.length * rowHeight + 2 * margin;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="callboard in a terminal: two calls have ended, one waits for approval">
<rect width="${width}" height="${height}" rx="10" fill="#18181b"/>
<g font-family="ui-monospace, Menlo, Consolas, monospace" font-size="14">
${drawn
  .map(rowElement)
  .filter((line) => line !== "")
  .join("\n")}
</g>
</svg>
`;
}

const [file = "terminal.svg"] = process.argv.slice(2);
writeFileSync(file, pictureOf([...rows()].map((row) => (row.length === 0 ? lineOf("") : row))));
