/** One row that is shown during a run: what it waits for, since when, and its usage so far. Pure. */
import type { RunState } from "@callboard/run-log";
import type { TerminalCall } from "@callboard/run-log/projections";
import { type Line, span } from "../door/spans.js";
import { widthOf } from "../door/textWidth.js";
import { type Frame, spinnerAt } from "./callRow.js";
import { countText, durationText, usageText } from "./quantities.js";

export interface Waiting extends Frame {
  /** When the message was sent, milliseconds since the epoch. */
  readonly since: number;
  readonly isSpeaking: boolean;
  /** The time must be in sight: words that are too long for it are shortened. */
  readonly columns: number;
}

export function waitingRow(
  run: RunState,
  calls: readonly TerminalCall[],
  { now, tick, since, isSpeaking, columns }: Waiting,
): Line {
  const asked = calls.filter(({ approval, question }) => approval ?? question).length;
  const rest = calls.length - asked;
  const isBackground = calls.every(({ isDetached }) => isDetached);
  const isThisRun = run.status === "open" && run.startedAt >= since;
  const [long, short] =
    asked > 0
      ? ["waiting for your answer", "your answer"]
      : rest > 0
        ? [`${countText(rest, "call")} ${whereOf(isBackground)}`, countText(rest, "call")]
        : isSpeaking
          ? ["answering", "answering"]
          : ["waiting for the model", "waiting"];
  const time = ` · ${durationText(now - since)}`;
  const used = isThisRun && run.usage.inputTokens > 0 ? ` · ${usageText(run.usage)}` : "";
  const sign = `${spinnerAt(tick)} `;
  const isFitting = widthOf(sign + long + time) <= columns;
  return [span(sign, "accent"), span(isFitting ? long : short), span(time + used, "dim")];
}

function whereOf(isBackground: boolean): string {
  return isBackground ? "in the background, /cancel ends it" : "under way";
}
