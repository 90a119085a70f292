/** The usage of a person's tools, models and days, from the data of the server. */
import type { Figures as FiguresAnswer } from "@callboard/client";
import { useBoard } from "@callboard/client/react";
import { durationText, toolLabel } from "@callboard/run-log/projections";
import { messageOfError } from "@callboard/run-log/values";
import { useEffect, useState } from "react";
import { currentToolName } from "../calls/toolNames.js";
import { costText, shortCount } from "../values/countText.js";
import { keyed } from "../values/keyed.js";
import { Scroller } from "../values/Scroller.js";
import { visibleText } from "../values/visibleText.js";
import { useActivityMark } from "./status.js";

const spans = [1, 7, 30] as const;

export default function Figures() {
  const { client } = useBoard();
  const [days, setDays] = useState<(typeof spans)[number]>(7);
  const [figures, setFigures] = useState<FiguresAnswer | undefined>(undefined);
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const mark = useActivityMark();
  useEffect(() => {
    const stop = new AbortController();
    const read = async (_mark: string): Promise<void> =>
      setFigures(await client.figures(days, { signal: stop.signal }));
    read(mark).catch((error: unknown) => {
      if (!stop.signal.aborted) setProblem(messageOfError(error));
    });
    return () => stop.abort();
  }, [client, days, mark]);
  if (problem !== undefined)
    return (
      <p role="alert" className="text-failed text-sm">
        {problem}
      </p>
    );
  if (!figures) return null;
  const hasRuns = figures.models.length > 0;
  return (
    <section aria-label="Figures" className="space-y-3">
      <div className="flex items-center gap-3">
        <h3 className="grow font-semibold">What it took</h3>
        <fieldset className="segments">
          <legend className="sr-only">Of how many days</legend>
          {spans.map((span) => (
            <button
              key={span}
              type="button"
              className="button"
              aria-pressed={span === days}
              onClick={() => setDays(span)}
            >
              {span === 1 ? "1 day" : `${span} days`}
            </button>
          ))}
        </fieldset>
      </div>
      {hasRuns ? (
        <Totals figures={figures} days={days} />
      ) : (
        <p className="text-quiet text-sm">Nothing has run in this time.</p>
      )}
    </section>
  );
}

/** The totals of all runs, by day, by tool and by model. */
function Totals({ figures, days }: { readonly figures: FiguresAnswer; readonly days: number }) {
  return (
    <>
      <div className="grid grid-cols-1 items-stretch gap-x-6 gap-y-4 xl:grid-cols-2">
        <Tiles figures={figures} />
        <Days days={figures.days} span={days} />
      </div>
      <div className="grid grid-cols-1 items-start gap-x-6 gap-y-4 xl:grid-cols-[2fr_3fr]">
        <Table
          name="By tool"
          heads={["tool", "calls", "failed", "p50", "p95"]}
          rows={figures.tools.map(({ tool_name, calls, errors, p50_ms, p95_ms }) => [
            visibleText(toolLabel(currentToolName(tool_name))),
            count(calls),
            count(errors),
            time(p50_ms),
            time(p95_ms),
          ])}
        />
        <div className="space-y-4">
          <Table
            name="By model"
            heads={["model", ...runHeads]}
            rows={figures.models.map((one) => [
              one.model === null ? "unknown" : visibleText(one.model),
              ...runCells(one),
            ])}
          />
          <Table
            name="By day"
            heads={["day", ...runHeads]}
            rows={figures.days.toReversed().map((one) => [dayName(one.day), ...runCells(one)])}
          />
        </div>
      </div>
    </>
  );
}

/** `18 Nov`. The server counts days in UTC. */
function dayName(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return date.toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
}

const count = (value: number): string => value.toLocaleString("en");
const time = (ms: number | null): string => (ms === null ? "–" : durationText(ms));
const cost = (usd: number | null): string => (usd === null ? "–" : costText(usd));

type Day = FiguresAnswer["days"][number];
type RunFigures = Pick<
  Day,
  | "requests"
  | "failed"
  | "total_tokens"
  | "total_cost"
  | "p50_ms"
  | "p95_ms"
  | "first_token_p50_ms"
  | "first_token_p95_ms"
>;

const runHeads = [
  ...["runs", "failed", "tokens", "cost"],
  ...["first token p50", "first token p95", "run p50", "run p95"],
];

/** The totals of the runs of a model or of a day, in the order of `runHeads`. */
function runCells(one: RunFigures): readonly string[] {
  return [
    count(one.requests),
    count(one.failed),
    shortCount(one.total_tokens),
    cost(one.total_cost),
    time(one.first_token_p50_ms),
    time(one.first_token_p95_ms),
    time(one.p50_ms),
    time(one.p95_ms),
  ];
}

/** Everything together. */
function Tiles({ figures: { tools, days } }: { readonly figures: FiguresAnswer }) {
  const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
  const failed = sum(days.map((day) => day.failed));
  const calls = sum(tools.map((tool) => tool.calls));
  const callErrors = sum(tools.map(({ errors }) => errors));
  const tiles: readonly (readonly [name: string, value: string, look?: string])[] = [
    ["runs", count(sum(days.map(({ requests }) => requests)))],
    ["runs failed", count(failed), failed > 0 ? "text-failed" : ""],
    ["tool calls", count(calls)],
    ["calls failed", count(callErrors), callErrors > 0 ? "text-failed" : ""],
    ["tokens", shortCount(sum(days.map((day) => day.total_tokens)))],
    ["cost", costText(sum(days.map((day) => day.total_cost ?? 0)))],
  ];
  return (
    <dl className="tiles">
      {tiles.map(([name, value, look = ""]) => (
        <div key={name} className="tile">
          <dt>{name}</dt>
          <dd className={look}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const dayMs = 86_400_000;

const nothing: RunFigures = {
  ...{ requests: 0, failed: 0, total_tokens: 0, total_cost: null, p50_ms: null, p95_ms: null },
  ...{ first_token_p50_ms: null, first_token_p95_ms: null },
};

/** Days without a run too, up to today. */
function everyDay(days: FiguresAnswer["days"], span: number): FiguresAnswer["days"] {
  const known = new Map(days.map((one) => [one.day, one]));
  const now = Date.now();
  return Array.from({ length: span + 1 }, (_, index) => {
    const day = new Date(now - (span - index) * dayMs).toISOString().slice(0, 10);
    return known.get(day) ?? { day, ...nothing };
  });
}

/** Tokens of each day; also as text. */
function Days({ days, span }: Pick<FiguresAnswer, "days"> & { readonly span: number }) {
  const most = Math.max(1, ...days.map(({ total_tokens: tokens }) => tokens));
  return (
    <figure className="flex min-w-0 flex-col gap-1">
      <figcaption className="flex justify-between text-quiet text-xs">
        <span>Tokens by day</span>
        <span className="tabular-nums">at most {shortCount(most)}</span>
      </figcaption>
      <ol className="flex min-h-28 grow items-end gap-1" aria-label="Tokens by day">
        {everyDay(days, span).map(({ day, requests, failed, total_tokens: tokens, total_cost }) => {
          const words = `${dayName(day)}: ${count(tokens)} tokens, ${requests} runs, ${failed} failed, ${cost(total_cost)}`;
          return (
            <li
              key={day}
              className="flex h-full min-w-2 grow basis-0 flex-col justify-end"
              title={words}
            >
              <span
                aria-hidden="true"
                className="day-bar"
                data-empty={requests === 0 || undefined}
                style={{ height: `${Math.max(3, (80 * tokens) / most)}%` }}
              />
              <span className="sr-only">{words}</span>
              <span aria-hidden="true" className="day-name">
                {day.slice(8)}
              </span>
            </li>
          );
        })}
      </ol>
    </figure>
  );
}

interface TableProps {
  readonly name: string;
  readonly heads: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

function Table({ name, heads, rows }: TableProps) {
  return (
    <Scroller label={name}>
      <table className="figures">
        <caption>{name}</caption>
        <thead>
          <tr>
            {heads.map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {keyed(rows).map(({ key, item: [name, ...cells] }) => (
            <tr key={key}>
              <th scope="row" title={name}>
                {name}
              </th>
              {cells.map((cell, index) => (
                <td key={heads[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scroller>
  );
}
