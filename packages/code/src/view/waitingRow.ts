/** One row that is shown during a run: what it waits for, since when, and its usage so far. Pure. */
import type { RunState } from "@callboard/run-log";
import type { TerminalCall } from "@callboard/run-log/projections";
import { type Line, span } from "../door/spans.js";
import { type Frame, spinnerAt } from "./callRow.js";
import { countText, durationText, usageText } from "./quantities.js";

export interface Waiting extends Frame {
  /** When the message was sent, milliseconds since the epoch. */
  readonly since: number;
  readonly isSpeaking: boolean;
}

export function waitingRow(
  run: RunState,
  calls: readonly TerminalCall[],
  { now, tick, since, isSpeaking }: Waiting,
): Line {
  const asked = calls.filter(({ approval, question }) => approval ?? question).length;
  const rest = calls.length - asked;
  const isBackground = calls.every(({ isDetached }) => isDetached);
  const isThisRun = run.status === "open" && run.startedAt >= since;
  const what =
    asked > 0
      ? "waiting for your answer"
      : rest > 0
        ? `${countText(rest, "call")} ${isBackground ? "in the background, /cancel ends it" : "under way"}`
        : isSpeaking
          ? "answering"
          : "waiting for the model";
  const used = isThisRun && run.usage.inputTokens > 0 ? ` · ${usageText(run.usage)}` : "";
  return [
    span(`${spinnerAt(tick)} `, "accent"),
    span(what),
    span(` · ${durationText(now - since)}${used}`, "dim"),
  ];
}
