/**
 * A call on one line: icon and word of its state, verb, target, outcome, time. Seven states, none shown by colour alone.
 * The row of a running call is made again for each frame; that of an ended one once.
 */
import type { CallOutcome } from "@callboard/run-log";
import {
  type ClosedTerminalCall,
  isAskingPerson,
  mainArgument,
  msIn,
  noticedSilence,
  outcomeWords,
  type Tense,
  type TerminalCall,
  trackWord,
} from "@callboard/run-log/projections";
import { type Line, lineWidth, type Style, span } from "../door/spans.js";
import { cleanText, exactText } from "../door/terminalText.js";
import { cutText, widthOf } from "../door/textWidth.js";
import { describeCall } from "./callWords.js";
import { countText, durationText, sizeText } from "./quantities.js";

interface Look {
  readonly icon: string;
  readonly style: Style;
}

const outcomeLooks: Readonly<Record<CallOutcome, Look & { readonly tense: Tense }>> = {
  ok: { icon: "✓", style: "good", tense: "done" },
  error: { icon: "✗", style: "bad", tense: "failed" },
  timeout: { icon: "✗", style: "bad", tense: "failed" },
  denied: { icon: "⊘", style: "warn", tense: "failed" },
  cancelled: { icon: "⊘", style: "warn", tense: "stopped" },
  interrupted: { icon: "⊗", style: "warn", tense: "stopped" },
};

const spinner = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];

/** A static mark if nothing may move. */
export function spinnerAt(tick: number | undefined): string {
  return tick === undefined ? "●" : (spinner[tick % spinner.length] ?? "●");
}

export interface Frame {
  /** Milliseconds since the epoch, by the clock of the log. */
  readonly now: number;
  /** Counts the frames for moving parts; undefined if nothing may move. */
  readonly tick: number | undefined;
}

/** One line of foreign words; only its first line is shown. */
function firstLine(text: string): string {
  return cleanText(text.slice(0, 1_000)).trim().split("\n", 1)[0] ?? "";
}

function rowOf(
  call: TerminalCall,
  look: Look,
  tense: Tense,
  remarks: readonly (string | undefined)[],
  problem = "",
): Line {
  const { verb, target } = describeCall(call, tense);
  const indent = "  ".repeat(call.depth);
  const said = remarks.filter((remark) => remark !== undefined && remark !== "");
  return [
    span(`${indent}${look.icon} `, look.style),
    span(verb, "bold"),
    span(target === "" ? "" : ` ${target}`),
    span(problem === "" ? "" : `: ${problem}`, look.style),
    span(said.map((remark) => ` · ${remark}`).join(""), "dim"),
  ];
}

/** The row with its target cut so that outcome and time are seen, too. */
export function fittedRow(row: Line, columns: number): Line {
  const excess = lineWidth(row) - columns;
  const [icon, verb, target, ...rest] = row;
  if (excess <= 0 || icon === undefined || verb === undefined || target === undefined) return row;
  const room = Math.max(shortestTarget, widthOf(target.text) - excess);
  return [icon, verb, span(cutText(target.text, room), target.style), ...rest];
}

const shortestTarget = 24;

/** `Wrote src/app.ts · 120 lines · 1.4 s`, `Could not read a.ts: it does not exist · failed · 0.1 s`. */
export function closedRow(call: ClosedTerminalCall): Line {
  const look = outcomeLooks[call.outcome];
  const waitedMs = msIn(call, "approval", call.closedAt);
  const waited = waitedMs >= 1_000 ? `waited ${durationText(waitedMs)}` : undefined;
  const ranMs = msIn(call, "running", call.closedAt);
  const took = ranMs > 0 || call.outcome === "ok" ? durationText(ranMs) : undefined;
  if (call.outcome === "ok") {
    const facts = [changeOf(call), callSummaryOf(call), backgroundOf(call), took, waited];
    return rowOf(call, look, look.tense, facts);
  }
  const problem = firstLine(call.error?.message ?? "");
  const facts = [changeOf(call), outcomeWords[call.outcome], backgroundOf(call), took, waited];
  return rowOf(call, look, look.tense, facts, problem);
}

function backgroundOf({ isDetached }: ClosedTerminalCall): string | undefined {
  return isDetached ? "in the background" : undefined;
}

/** The model's arguments, if a person changed them. */
function changeOf(call: ClosedTerminalCall): string | undefined {
  if (call.amendedInput === undefined) return undefined;
  const asked = mainArgument(call.input);
  return asked === undefined
    ? "arguments changed"
    : `changed from ${exactText(firstLine(asked)).slice(0, longestAsked)}`;
}

const longestAsked = 60;

function callSummaryOf(call: ClosedTerminalCall): string {
  if (call.summary !== undefined) return firstLine(call.summary);
  if (call.question !== undefined) return `answer: ${exactText(firstLine(call.outputText))}`;
  const lines = call.outputText === "" ? 0 : call.outputText.trimEnd().split("\n").length;
  return lines === 0 ? "no output" : countText(lines, "line");
}

export function liveRow(call: TerminalCall, { now, tick }: Frame): Line {
  const word = trackWord(call);
  switch (call.state) {
    case "arguments": {
      const look = { icon: "◌", style: "accent" } as const;
      const size = call.inputText === "" ? undefined : sizeText(call.inputText.length);
      return rowOf(call, look, "doing", [word, size, durationText(now - call.openedAt)]);
    }
    case "queued":
      return rowOf(call, { icon: "◔", style: "dim" }, "doing", [word]);
    case "approval":
      return rowOf(call, { icon: "?", style: "warn" }, "asking", [word, sinceText(call, now)]);
    case "running": {
      const elapsed = durationText(msIn(call, "running", now));
      if (isAskingPerson(call)) {
        return rowOf(call, { icon: "?", style: "warn" }, "doing", [word, elapsed]);
      }
      const look = { icon: spinnerAt(tick), style: "accent" } as const;
      const silentMs = noticedSilence(call, now);
      const silence = silentMs === undefined ? undefined : `silent ${durationText(silentMs)}`;
      return rowOf(call, look, "doing", [word, lastWordsOf(call), silence, elapsed]);
    }
    case "done":
    case "failed":
    case "stopped":
      return isClosedCall(call) ? closedRow(call) : [];
    default:
      return call.state satisfies never;
  }
}

function isClosedCall(call: TerminalCall): call is ClosedTerminalCall {
  return call.outcome !== undefined && call.closedAt !== undefined;
}

/** How long the call has been in its present phase. */
function sinceText(call: TerminalCall, now: number): string {
  return durationText(now - (call.phases.at(-1)?.from ?? now));
}

/** The last report of a running call: its progress, otherwise the last line of its output. */
function lastWordsOf(call: TerminalCall): string | undefined {
  const percent = call.percent === undefined ? "" : `${Math.round(call.percent)} % `;
  if (call.lastWords !== undefined) return percent + firstLine(call.lastWords);
  const lines = cleanText(call.outputTail.slice(-400)).trimEnd().split("\n");
  return lines.at(-1)?.trim();
}

/** The model continues without the call: `· sleep 60 runs in the background; …` */
export function detachedLine(call: TerminalCall): Line {
  const { verb, target } = describeCall(call, "doing");
  const what = target === "" ? verb : cutText(target, longestAsked);
  return [
    span("· ", "dim"),
    span(what),
    span(" runs in the background; the model is called again when it ends.", "dim"),
  ];
}

/** The same in plain words, for who listens: "Wants to run npm test: waiting for approval". */
export function spokenRow(call: TerminalCall, word: string): Line {
  const { verb, target } = describeCall(call, call.state === "approval" ? "asking" : "doing");
  return [span(`${verb} ${target}`.trim()), span(`: ${word}`)];
}

export function spokenEnd(call: ClosedTerminalCall): Line {
  const [icon, ...rest] = closedRow({ ...call, depth: 0 });
  const word = call.outcome === "ok" ? `${outcomeWords.ok}: ` : "";
  return icon === undefined ? [] : [span(word), ...rest];
}
