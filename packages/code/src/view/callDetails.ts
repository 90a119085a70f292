/**
 * A call in detail: its arguments, its changes, and head and tail of its output with the size of the rest. Foreign text
 * stays text; long text is cut, with the number of omitted characters.
 */
import type { JsonValue } from "@callboard/run-log";
import type { ClosedTerminalCall, TerminalCall } from "@callboard/run-log/projections";
import { lineDiff } from "@callboard/run-log/projections";
import { type Line, lineOf, type Style, span } from "../door/spans.js";
import { cleanText, exactText } from "../door/terminalText.js";
import { terminalInputOf } from "./callWords.js";
import { countText, sizeText } from "./quantities.js";

const usualLines = 20;
const longestLine = 2_000;

/** Of each long text about `mostLines` are shown. */
export function detailLines(call: ClosedTerminalCall, mostLines = usualLines): readonly Line[] {
  const indent = "  ".repeat(call.depth + 1);
  return [
    ...argumentLines(call, mostLines),
    ...call.diffs.flatMap((diff) => diffLines(diff, mostLines)),
    ...outputLines(call, mostLines),
  ].map((line) => [span(indent), ...line]);
}

function argumentLines(call: TerminalCall, mostLines: number): readonly Line[] {
  return Object.entries(terminalInputOf(call)).flatMap(([name, value]) => {
    const lines = valueText(value).split("\n");
    const [first = ""] = lines;
    const label = span(`${exactText(name)}: `, "dim");
    if (lines.length === 1) return [[label, span(exactText(first.slice(0, longestLine)))]];
    return [
      [label],
      ...bounded(
        lines.map((line) => `  ${line}`),
        "plain",
        mostLines,
      ),
    ];
  });
}

function valueText(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function diffLines(diff: ClosedTerminalCall["diffs"][number], mostLines: number): readonly Line[] {
  const { path, oldText = "", newText } = diff;
  const pieces = lineDiff(oldText, newText);
  const removed = textLinesOf(pieces.find((piece) => piece.removed)?.value);
  const added = textLinesOf(pieces.find((piece) => piece.added)?.value);
  const head = [
    span(exactText(path), "accent"),
    span(` +${added.length} −${removed.length}`, "dim"),
  ];
  return [
    head,
    ...bounded(
      removed.map((line) => `- ${line}`),
      "bad",
      mostLines,
    ),
    ...bounded(
      added.map((line) => `+ ${line}`),
      "good",
      mostLines,
    ),
  ];
}

function textLinesOf(text = ""): readonly string[] {
  return text === "" ? [] : text.replace(/\n$/, "").split("\n");
}

function outputLines(call: ClosedTerminalCall, mostLines: number): readonly Line[] {
  const text =
    call.error === undefined ? call.outputText : [call.error.message, call.outputText].join("\n");
  const lines = cleanText(text).trimEnd().split("\n");
  if (lines.length === 1 && lines[0] === "") return [];
  const file = call.filePath === undefined ? "" : ` · all of it: ${exactText(call.filePath)}`;
  const size = `output: ${countText(lines.length, "line")}, ${sizeText(text.length)}${file}`;
  return [lineOf(size, "dim"), ...bounded(lines, "plain", mostLines)];
}

/** Head and tail of many lines. */
function bounded(lines: readonly string[], style: Style, mostLines: number): readonly Line[] {
  const shown = (line: string): Line => lineOf(cleanText(line.slice(0, longestLine)), style);
  if (lines.length <= mostLines) return lines.map(shown);
  const half = Math.floor(mostLines / 2);
  const left = lines.length - 2 * half;
  return [
    ...lines.slice(0, half).map(shown),
    lineOf(`… ${countText(left, "line")} left out …`, "dim"),
    ...lines.slice(-half).map(shown),
  ];
}

/** The last lines of what a running call puts out. */
export function outputTailLines(call: TerminalCall, rows: number): readonly Line[] {
  const lines = cleanText(call.outputTail).trimEnd().split("\n");
  const indent = "  ".repeat(call.depth + 1);
  return lines
    .slice(-rows)
    .filter((line) => line !== "")
    .map((line) => lineOf(indent + line, "dim"));
}
