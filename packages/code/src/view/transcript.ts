/**
 * A run as lines that are printed once and never changed: its text, one line for each ended call, its outcome. `spoken`
 * is for screen readers: transitions in words, each once, nothing redrawn.
 */
import type { RunOutcome } from "@callboard/run-log";
import {
  type ClosedTerminalCall,
  type TerminalOutput,
  trackWord,
} from "@callboard/run-log/projections";
import { emptyLine, type Line, lineOf, span, wrapLine } from "../door/spans.js";
import { cleanText } from "../door/terminalText.js";
import { wrapText } from "../door/textWidth.js";
import { detailLines } from "./callDetails.js";
import { closedRow, detachedLine, fittedRow, spokenEnd, spokenRow } from "./callRow.js";
import { createProseWriter, type ProseWriter } from "./proseWriter.js";
import { countText, durationText, usageText } from "./quantities.js";
import { userLines } from "./userText.js";

export interface Transcript {
  /** The lines that are now settled. */
  take(output: TerminalOutput): readonly Line[];
  /** The unfinished rows of the current text. */
  readonly tail: readonly Line[];
  /** The calls of the last run, opened up. */
  lastCalls(): readonly Line[];
}

export interface TranscriptOptions {
  readonly columns: () => number;
  readonly isSpoken: boolean;
  /** Whether ended calls are opened up, and long messages of the person shown whole. */
  readonly isExpanded: () => boolean;
}

type Block = "user" | "text" | "reasoning" | "call" | "end";

const thought = span("┆ ", "dim");

function thoughtLine(line: Line): Line {
  return [thought, ...line];
}

export function createTranscript(options: TranscriptOptions): Transcript {
  const prose: Readonly<Record<"text" | "reasoning", ProseWriter>> = {
    text: createProseWriter("plain"),
    reasoning: createProseWriter("dim"),
  };
  const { columns, isSpoken, isExpanded } = options;
  /** The kind of the last printed line: text and calls are separated by an empty line. */
  let last: Block | undefined;
  let calls: ClosedTerminalCall[] = [];
  let lastError: string | undefined;

  /** A reason that was already printed as an error is not repeated. */
  function untold(closed: RunClosed): RunClosed {
    const isTold = closed.reason !== undefined && lastError?.includes(closed.reason);
    return isTold ? { ...closed, reason: undefined } : closed;
  }

  function apart(block: Block, lines: readonly Line[]): readonly Line[] {
    if (lines.length === 0) return lines;
    const isSame = last === undefined || last === block;
    last = block;
    return isSame || isSpoken ? lines : [emptyLine, ...lines];
  }

  const ended = (): readonly Line[] => [
    ...apart("reasoning", prose.reasoning.end(columns() - thought.text.length).map(thoughtLine)),
    ...apart("text", prose.text.end(columns())),
  ];

  function callLines(call: ClosedTerminalCall, isOpen: boolean): readonly Line[] {
    const row = isSpoken ? spokenEnd(call) : fittedRow(closedRow(call), columns());
    const lines = wrapLine(row, columns(), 2 * call.depth + 2);
    const details = isOpen ? detailLines(call) : [];
    return [...lines, ...details.flatMap((line) => wrapLine(line, columns(), 2 * call.depth + 4))];
  }

  function settled(output: TerminalOutput): readonly Line[] {
    switch (output.type) {
      case "runStarted":
        lastError = undefined;
        calls = [];
        return [];
      case "userSaid":
        return apart("user", userLines(output, columns(), isExpanded()));
      case "text":
        return apart("text", prose.text.push(output.chunk, columns()));
      case "reasoning": {
        const room = columns() - thought.text.length;
        return apart("reasoning", prose.reasoning.push(output.chunk, room).map(thoughtLine));
      }
      case "textClosed":
        return ended();
      case "callChanged":
        if (output.change === "started" && output.call.isDetached) {
          return apart("call", [detachedLine(output.call)]);
        }
        if (!isSpoken) return [];
        if (output.change === "started") return [spokenRow(output.call, trackWord(output.call))];
        return output.change === "asked" ? [spokenRow(output.call, trackWord(output.call))] : [];
      case "callClosed": {
        calls.push(output.call);
        const isOpen = isExpanded() || output.call.openedBy === "user";
        return apart("call", callLines(output.call, isOpen));
      }
      case "status":
        return [lineOf(`· ${cleanText(output.text)}`, "dim")];
      case "error":
        lastError = output.text;
        return cleanText(output.text)
          .split("\n")
          .flatMap((text, index) => wrapText(`${index === 0 ? "! " : "  "}${text}`, columns()))
          .map((row) => lineOf(row, "bad"));
      case "runClosed":
        return [...ended(), ...apart("end", [closingLine(untold(output))])];
      default:
        return output satisfies never;
    }
  }

  return {
    take: (output) => settled(output).flatMap((line) => wrapLine(line, columns(), 2)),
    lastCalls: () => calls.flatMap((call) => callLines(call, true)),
    get tail() {
      const said = prose.text.tail(columns());
      if (said.length > 0) return said;
      return prose.reasoning.tail(columns() - thought.text.length).map(thoughtLine);
    },
  };
}

const outcomeWords: Readonly<Record<RunOutcome, string>> = {
  ok: "done",
  error: "failed",
  cancelled: "cancelled",
  timeout: "timed out",
  interrupted: "interrupted",
  limit: "stopped at a limit",
};

type RunClosed = Extract<TerminalOutput, { type: "runClosed" }>;

function closingLine(output: RunClosed): Line {
  const { outcome, reason, usage, calls, tookMs } = output;
  const facts = [
    ...(calls === 0 ? [] : [countText(calls, "call")]),
    usageText(usage),
    durationText(tookMs),
  ];
  const why =
    reason === undefined || outcome === "ok" ? "" : `: ${cleanText(reason).split("\n", 1)[0]}`;
  return [
    span(`— ${outcomeWords[outcome]}${why}`, outcome === "ok" ? "dim" : "warn"),
    span(` · ${facts.join(" · ")}`, "dim"),
  ];
}
