/** The totals of the calls and the runs. It follows them at a readable pace. */
import type { RunView } from "@callboard/client";
import { type CallTrack, durationText } from "@callboard/run-log/projections";
import { memo } from "react";
import { useHasTimes } from "../shell/moment.js";
import { usePaced } from "../shell/usePaced.js";
import { costText, shortCount } from "../values/countText.js";
import { totalsOf } from "./totals.js";

export interface SumsProps {
  readonly tracks: readonly CallTrack[];
  readonly runs: readonly RunView[];
  readonly now: number;
}

const paceMs = 250;

export function Sums(props: SumsProps) {
  return <Figures {...usePaced(props, paceMs)} />;
}

const Figures = memo(function Figures({ tracks, runs, now }: SumsProps) {
  const hasTimes = useHasTimes();
  const totals = totalsOf(tracks, now);
  // A run's usage holds what the model itself took, which no call knows of.
  const usages = runs.flatMap(({ usage }) => usage ?? []);
  const ofRuns = usages.reduce((sum, one) => sum + one.inputTokens + one.outputTokens, 0);
  const costOfRuns = usages.reduce((sum, { costUsd = 0 }) => sum + costUsd, 0);
  const tokens = Math.max(totals.tokens, ofRuns);
  const costUsd = Math.max(totals.costUsd, costOfRuns);
  const figures: readonly (readonly [value: string, name: string, look?: string])[] = [
    [String(totals.calls), totals.calls === 1 ? "call" : "calls"],
    ...(totals.open > 0 ? [[String(totals.open), "open", "text-running"] as const] : []),
    ...(totals.calls > 0
      ? [[String(totals.failed), "failed", totals.failed > 0 ? "text-failed" : ""] as const]
      : []),
    ...(totals.stopped > 0 ? [[String(totals.stopped), "stopped"] as const] : []),
    ...(hasTimes && totals.calls > 0 ? [[durationText(totals.ranMs), "ran"] as const] : []),
    ...(hasTimes && totals.waitedMs > 0
      ? [[durationText(totals.waitedMs), "waited"] as const]
      : []),
    ...(totals.retries > 0
      ? [[String(totals.retries), totals.retries === 1 ? "retry" : "retries"] as const]
      : []),
    ...(tokens > 0 ? [[shortCount(tokens), "tokens"] as const] : []),
    ...(costUsd > 0 ? [[costText(costUsd), "cost"] as const] : []),
  ];
  return (
    <dl className="flex min-w-0 grow flex-wrap gap-x-3 text-sm" data-sums="">
      {figures.map(([value, name, look = ""]) => (
        <div key={name} className="flex flex-row-reverse items-baseline gap-1">
          <dt className="text-quiet text-xs">{name}</dt>
          <dd className={`font-medium tabular-nums ${look}`}>{value}</dd>
        </div>
      ))}
    </dl>
  );
});
