/** Events before they have a place in the log: `stamped` gives them version, run, position and time. */
import { LOG_VERSION } from "./events/envelope.js";
import type { RunEvent } from "./events/index.js";
import type { RunId } from "./ids.js";

type Stamp = "v" | "runId" | "seq" | "at";

export type Draft = RunEvent extends infer Event
  ? Event extends unknown
    ? Omit<Event, Stamp>
    : never
  : never;

export function stamped(
  log: { readonly runId: RunId; readonly seq: number },
  at: number,
  drafts: readonly Draft[],
): RunEvent[] {
  return drafts.map((draft, index) => ({
    v: LOG_VERSION,
    runId: log.runId,
    seq: log.seq + 1 + index,
    at,
    ...draft,
  }));
}
