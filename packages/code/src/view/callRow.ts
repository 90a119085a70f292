/**
 * A call on one line: icon and word of its state, verb, target, outcome, time. Seven states, none told
 * by colour alone. A row of a call under way is made anew for each frame; that of an ended one once.
 */
import type { CallOutcome, CallState } from "@callboard/run-log";
import { mainArgument, outcomeWords, type Tense } from "@callboard/run-log/projections";
import { noticedSilenceMs } from "@callboard/run-log/writing";
import { type Line, lineWidth, type Style, span } from "../door/spans.js";
import { cleanText, exactText } from "../door/terminalText.js";
import { cutText, widthOf } from "../door/textWidth.js";
import type { CallView, ClosedCall } from "./callView.js";
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

/** A still mark where nothing may move. */
export function spinnerAt(tick: number | undefined): string {
  return tick === undefined ? "●" : (spinner[tick % spinner.length] ?? "●");
}

export interface Frame {
  /** Milliseconds since the epoch, by the clock of the log. */
  readonly now: number;
  /** Counts the frames for what moves; undefined where nothing may move. */
  readonly tick: number | undefined;
}

/** One line of foreign words; only its first line is shown. */
function firstLine(text: string): string {
  return cleanText(text.slice(0, 1_000)).trim().split("\n", 1)[0] ?? "";
}

function rowOf(
  call: CallView,
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
export function closedRow(call: ClosedCall): Line {
  const look = outcomeLooks[call.outcome];
  const waited = call.waitedMs >= 1_000 ? `waited ${durationText(call.waitedMs)}` : undefined;
  const took = call.ranMs > 0 || call.outcome === "ok" ? durationText(call.ranMs) : undefined;
  if (call.outcome === "ok") {
    return rowOf(call, look, look.tense, [changeOf(call), summaryOf(call), took, waited]);
  }
  const problem = firstLine(call.problem ?? "");
  const facts = [changeOf(call), outcomeWords[call.outcome], took, waited];
  return rowOf(call, look, look.tense, facts, problem);
}

/** What the model asked for, where somebody changed it. */
function changeOf(call: ClosedCall): string | undefined {
  if (call.amendedBy === undefined) return undefined;
  const asked = mainArgument(call.input);
  return asked === undefined
    ? "arguments changed"
    : `changed from ${exactText(firstLine(asked)).slice(0, longestAsked)}`;
}

const longestAsked = 60;

function summaryOf(call: ClosedCall): string {
  if (call.summary !== undefined) return firstLine(call.summary);
  if (call.question !== undefined) return `answer: ${exactText(firstLine(call.output))}`;
  const lines = call.output === "" ? 0 : call.output.trimEnd().split("\n").length;
  return lines === 0 ? "no output" : countText(lines, "line");
}

export const waitingForYou = "waiting for you";

export function liveRow(call: CallView, state: CallState, { now, tick }: Frame): Line {
  switch (state.status) {
    case "inputStreaming": {
      const look = { icon: "◌", word: "arguments", style: "accent" } as const;
      const size = call.argumentsLength === 0 ? undefined : sizeText(call.argumentsLength);
      return rowOf(call, look, "doing", [look.word, size, durationText(now - state.openedAt)]);
    }
    case "ready": {
      const look = { icon: "◔", word: "queued", style: "dim" } as const;
      return rowOf(call, look, "doing", [look.word]);
    }
    case "refused": {
      const look = { icon: "⊘", word: "denied", style: "warn" } as const;
      return rowOf(call, look, "failed", [look.word]);
    }
    case "awaitingApproval": {
      const look = { icon: "?", word: "waiting for approval", style: "warn" } as const;
      return rowOf(call, look, "doing", [look.word, durationText(now - state.askedAt)]);
    }
    case "running": {
      const { execution, waitedMs } = state;
      const elapsed = now - execution.startedAt - (waitedMs - execution.waitedBefore);
      if (call.question !== undefined) {
        const asking = { icon: "?", word: waitingForYou, style: "warn" } as const;
        return rowOf(call, asking, "doing", [asking.word, durationText(elapsed)]);
      }
      const look = { icon: spinnerAt(tick), word: "running", style: "accent" } as const;
      const silent = now - call.lastSignAt;
      const silence = silent < noticedSilenceMs ? undefined : `silent ${durationText(silent)}`;
      const words = [look.word, lastWords(call), silence, durationText(elapsed)];
      return rowOf(call, look, "doing", words);
    }
    case "closed": {
      const look = outcomeLooks[state.outcome];
      return rowOf(call, look, look.tense, []);
    }
    default:
      return state satisfies never;
  }
}

/** What a running call said last: its progress, else the last line of its output. */
function lastWords(call: CallView): string | undefined {
  const percent = call.percent === undefined ? "" : `${Math.round(call.percent)} % `;
  if (call.progress !== undefined) return percent + firstLine(call.progress);
  const lines = cleanText(call.outputTail.slice(-400)).trimEnd().split("\n");
  return lines.at(-1)?.trim();
}

/** The same in plain words, for who listens: "Running npm test: waiting for approval". */
export function spokenRow(call: CallView, word: string): Line {
  const { verb, target } = describeCall(call, "doing");
  return [span(`${verb} ${target}`.trim()), span(`: ${word}`)];
}

export function spokenEnd(call: ClosedCall): Line {
  const [icon, ...rest] = closedRow({ ...call, depth: 0 });
  const word = call.outcome === "ok" ? `${outcomeWords.ok}: ` : "";
  return icon === undefined ? [] : [span(word), ...rest];
}
