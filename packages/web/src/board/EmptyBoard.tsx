/** The board before the first call: a small animated example with a legend. */
import type { TrackState } from "@callboard/run-log/projections";
import { Icon, type IconName } from "../values/Icon.js";
import type { BarKind } from "./TimelineBars.js";

const states: readonly (readonly [state: TrackState, word: string, what: string])[] = [
  ["arguments", "writing arguments", "the model is writing what it asks for"],
  ["approval", "waiting for approval", "you decide, in the chat"],
  ["queued", "queued", "it waits for its turn"],
  ["running", "running", "with its output as it comes"],
  ["done", "done", "with its result and run time"],
  ["failed", "failed", "with the reason; also denied, timed out"],
  ["stopped", "stopped", "cancelled by you, or interrupted by a crash"],
];

const colours: Readonly<Record<TrackState, string>> = {
  arguments: "text-arguments",
  approval: "text-approval",
  queued: "text-queued",
  running: "text-running",
  done: "text-done",
  failed: "text-failed",
  stopped: "text-stopped",
};

type Stretch = readonly [kind: BarKind, from: number, to: number];
type SampleRow = readonly [
  icon: IconName,
  look: string,
  verb: string,
  target: string,
  bars: readonly Stretch[],
];

/** A run as it will look; places in percent of its time. */
const sample: readonly SampleRow[] = [
  [
    "model",
    "text-model",
    "",
    "I look around first",
    [
      ["asked", 0, 6],
      ["answer", 6, 12],
    ],
  ],
  [
    "done",
    "text-done",
    "Listed",
    "src",
    [
      ["arguments", 12, 15],
      ["running", 15, 24],
    ],
  ],
  [
    "done",
    "text-done",
    "Read",
    "src/app.ts",
    [
      ["arguments", 15, 18],
      ["running", 18, 30],
    ],
  ],
  [
    "model",
    "text-model",
    "",
    "One line is wrong",
    [
      ["asked", 30, 35],
      ["answer", 35, 42],
    ],
  ],
  [
    "done",
    "text-done",
    "Edited",
    "src/app.ts",
    [
      ["arguments", 42, 48],
      ["approval", 48, 66],
      ["running", 66, 70],
    ],
  ],
  [
    "running",
    "text-running",
    "Running",
    "npm test",
    [
      ["arguments", 70, 74],
      ["running", 74, 100],
    ],
  ],
];

export default function EmptyBoard() {
  return (
    <div className="grow overflow-y-auto p-6">
      <div className="mx-auto max-w-lg">
        <h2 className="font-semibold text-lg">No calls yet</h2>
        <p className="mt-1 text-quiet text-sm">
          Every tool call appears here on a timeline, from the first character of its arguments to
          its end.
        </p>
        <Sample />
        <dl className="mt-6 grid gap-x-6 gap-y-1.5 text-sm sm:grid-cols-[auto_1fr]">
          {states.map(([state, word, what]) => (
            <div key={state} className="contents">
              <dt className={`flex items-center gap-2 ${colours[state]}`}>
                <Icon name={state} />
                {word}
              </dt>
              <dd className="text-quiet max-sm:pb-1 max-sm:pl-6">{what}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  );
}

/** It contains nothing that the text below does not. */
function Sample() {
  return (
    <div aria-hidden="true" className="sample">
      {sample.map(([icon, look, verb, target, bars]) => (
        <div key={`${verb} ${target}`} className="sample-row">
          <span className="flex min-w-0 items-center gap-2">
            <Icon name={icon} className={look} />
            {verb !== "" && <span className="font-medium">{verb}</span>}
            <span className={`truncate ${verb === "" ? "text-quiet" : "font-mono text-xs"}`}>
              {target}
            </span>
          </span>
          <span className="relative">
            {bars.map(([kind, from, to]) => (
              <span
                key={kind}
                className="bar sample-bar"
                data-bar={kind}
                style={{ left: `${from}%`, width: `${to - from}%` }}
              />
            ))}
          </span>
        </div>
      ))}
      <span className="sample-now" />
    </div>
  );
}
