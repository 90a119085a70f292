/** The results of a run, in reading order: each as text, and as a number if two can be compared. */
import { durationText } from "@callboard/run-log/projections";
import { totalsOf } from "../board/totals.js";
import { costText } from "../values/countText.js";
import type { Side } from "./CompareView.js";

export interface Figure {
  readonly name: string;
  readonly text: string;
  readonly value?: number;
  readonly textOf: (value: number) => string;
}

const count = (value: number): string => value.toLocaleString("en");

export function figuresOf({
  view,
  tracks,
  now,
  firstTokenMs,
}: Omit<Side, "runId">): readonly Figure[] {
  const totals = totalsOf(tracks, now);
  const { startedAt, closedAt, usage } = view ?? {};
  const tookMs = startedAt === undefined ? undefined : (closedAt ?? now) - startedAt;
  return [
    word("outcome", view?.outcome ?? (view ? "running" : "…")),
    word("model", view?.model ?? "–"),
    figure("time", tookMs, durationText),
    figure("first token", firstTokenMs, durationText),
    figure("tools ran", totals.ranMs, durationText),
    figure("waited for approval", totals.waitedMs, durationText),
    figure("calls", totals.calls, count),
    figure("failed calls", totals.failed, count),
    figure("input tokens", usage?.inputTokens, count),
    figure("output tokens", usage?.outputTokens, count),
    figure("cost", usage?.costUsd, costText),
  ];
}

function word(name: string, text: string): Figure {
  return { name, text, textOf: count };
}

function figure(
  name: string,
  value: number | undefined,
  textOf: (value: number) => string,
): Figure {
  if (value === undefined) return { name, text: "–", textOf };
  return { name, text: textOf(value), value, textOf };
}
