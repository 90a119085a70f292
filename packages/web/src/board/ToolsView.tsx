/** The totals of the calls, by tool and over time. */
import { type CallTrack, durationText, toolLabel } from "@callboard/run-log/projections";
import { useMemo, useState } from "react";
import { useHasTimes } from "../shell/moment.js";
import { costText, countText } from "../values/countText.js";
import { Scroller } from "../values/Scroller.js";
import { bucketsOf, type TimeBucket, type ToolTotals, totalsByTool } from "./totals.js";

interface Column {
  readonly name: string;
  readonly text: (tool: ToolTotals) => string;
  /** Drawn even if it is 0 for all tools. */
  readonly isAlways?: boolean;
  readonly value: (tool: ToolTotals) => number;
}

/** How long something took is drawn as `spanText` writes it. */
function columnsOf(spanText: (ms: number) => string): readonly Column[] {
  const counted = (value: number): string => value.toLocaleString("en");
  return [
    {
      name: "calls",
      isAlways: true,
      value: ({ calls }) => calls,
      text: ({ calls }) => counted(calls),
    },
    {
      name: "failed",
      isAlways: true,
      value: ({ failed }) => failed,
      text: ({ failed }) => counted(failed),
    },
    { name: "retries", value: ({ retries }) => retries, text: ({ retries }) => counted(retries) },
    {
      name: "ran",
      isAlways: true,
      value: ({ ranMs }) => ranMs,
      text: ({ ranMs }) => spanText(ranMs),
    },
    {
      name: "average",
      isAlways: true,
      value: ({ ranMs }) => ranMs,
      text: ({ ranMs, calls }) => spanText(ranMs / calls),
    },
    {
      name: "waited",
      value: ({ waitedMs }) => waitedMs,
      text: ({ waitedMs }) => spanText(waitedMs),
    },
    { name: "tokens", value: ({ tokens }) => tokens, text: ({ tokens }) => counted(tokens) },
    {
      name: "cost",
      value: ({ costUsd }) => costUsd,
      text: ({ costUsd }) => (costUsd > 0 ? costText(costUsd) : "–"),
    },
  ];
}

export function ToolsView({
  tracks,
  now,
}: {
  readonly tracks: readonly CallTrack[];
  readonly now: number;
}) {
  const hasTimes = useHasTimes();
  const spanText = (ms: number): string => (hasTimes ? durationText(ms) : "–");
  const tools = useMemo(() => totalsByTool(tracks, now), [tracks, now]);
  const columns = columnsOf(spanText).filter(
    ({ isAlways, value }) => isAlways || tools.some((tool) => value(tool) > 0),
  );
  return (
    <div className="min-h-0 grow space-y-4 overflow-y-auto p-3">
      <OverTime tracks={tracks} now={now} />
      <Scroller label="By tool">
        <table className="figures">
          <caption>By tool</caption>
          <thead>
            <tr>
              {["tool", ...columns.map(({ name }) => name)].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tools.map((tool) => (
              <tr key={tool.toolName}>
                <th scope="row" title={toolLabel(tool.toolName)}>
                  {toolLabel(tool.toolName)}
                </th>
                {columns.map(({ name, text }) => (
                  <td
                    key={name}
                    className={name === "failed" && tool.failed > 0 ? "text-failed" : ""}
                  >
                    {text(tool)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroller>
    </div>
  );
}

const measures = ["calls", "failed", "ranMs", "tokens", "costUsd"] as const;
type Measure = (typeof measures)[number];
const measureNames: Readonly<Record<Measure, string>> = {
  calls: "calls",
  failed: "failures",
  ranMs: "time they ran",
  tokens: "tokens",
  costUsd: "cost",
};

function measureText(measure: Measure, value: number): string {
  if (measure === "costUsd") return costText(value);
  return measure === "ranMs" ? durationText(value) : value.toLocaleString("en");
}

const parts = 24;

function OverTime({
  tracks,
  now,
}: {
  readonly tracks: readonly CallTrack[];
  readonly now: number;
}) {
  const [measure, setMeasure] = useState<Measure>("calls");
  const hasTimes = useHasTimes();
  const offered = measures.filter((name) => hasTimes || name !== "ranMs");
  const isLive = tracks.some(({ closedAt }) => closedAt === undefined);
  const buckets = useMemo(() => bucketsOf(tracks, isLive ? now : 0, parts), [tracks, isLive, now]);
  return (
    <figure>
      <figcaption className="flex items-center gap-2 text-quiet text-sm">
        Over time
        <select
          aria-label="What the chart shows"
          className="field"
          value={measure}
          onChange={({ target: { value } }) =>
            setMeasure(measures.find((name) => name === value) ?? "calls")
          }
        >
          {offered.map((name) => (
            <option key={name} value={name}>
              {measureNames[name]}
            </option>
          ))}
        </select>
      </figcaption>
      <Bars buckets={buckets} measure={measure} />
    </figure>
  );
}

function Bars({
  buckets,
  measure,
}: {
  readonly buckets: readonly TimeBucket[];
  readonly measure: Measure;
}) {
  const most = buckets.reduce((high, bucket) => Math.max(high, bucket[measure]), 0);
  const sum = buckets.reduce((total, bucket) => total + bucket[measure], 0);
  const text = measureText(measure, sum);
  const [first, last] = [buckets[0], buckets.at(-1)];
  const span = first && last ? last.to - first.from : 0;
  const hasTimes = useHasTimes();
  return (
    <>
      <svg
        className="mt-1 block h-16 w-full border-line border-b"
        viewBox={`0 0 ${parts * 10} 40`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${measureNames[measure]} over time: ${text} in all`}
      >
        {buckets.map((bucket, index) => {
          const height = most === 0 ? 0 : (bucket[measure] / most) * 38;
          return (
            <rect
              key={bucket.from}
              x={index * 10 + 1}
              y={40 - height}
              width={8}
              height={height}
              className={measure === "failed" ? "fill-failed" : "fill-accent"}
            />
          );
        })}
      </svg>
      <p className="flex justify-between text-quiet text-xs">
        <span>
          {text} in all, at most {measureText(measure, most)} in one bar
        </span>
        {first && (
          <span>{hasTimes ? durationText(span) : countText(Math.round(span), "line")}</span>
        )}
      </p>
    </>
  );
}
