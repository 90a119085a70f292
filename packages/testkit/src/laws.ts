/**
 * The laws of the log as questions to one surface about one log. Each answers with the reason why
 * a rule is broken, or with nothing. None of them reads a clock: cost is counted in bytes.
 */
import { isDeepStrictEqual } from "node:util";
import type { RunEvent, RunState } from "@callboard/run-log";
import { createProjector, type Projection } from "@callboard/run-log/projections";
import { createCoalescer } from "@callboard/run-log/writing";
import { searchCount } from "./searchCount.js";
import type { Surface } from "./surface.js";
import type { Random } from "./torture/random.js";
import {
  closedLog,
  deltaViewOf,
  reinterleaved,
  withDoubledDeltas,
  withMergedDeltas,
  withOverlappingDeltas,
  withoutDeltas,
  withRewrittenDeltas,
} from "./variations.js";

export type Law = <Memory, Output>(
  surface: Surface<Memory, Output>,
  log: readonly RunEvent[],
  random: Random,
) => string | undefined;

interface Played<Memory, Output> {
  readonly outputs: readonly Output[];
  readonly memory: Memory;
  readonly run: RunState;
}

export function played<Memory, Output>(
  projection: Projection<Memory, Output>,
  log: readonly RunEvent[],
): Played<Memory, Output> {
  const projector = createProjector(projection);
  const outputs = log.flatMap((event) => projector.push(event));
  return { outputs, memory: projector.memory, run: projector.run };
}

function finalViewOf<Memory, Output>(
  surface: Surface<Memory, Output>,
  log: readonly RunEvent[],
): unknown {
  const { outputs, memory } = played(surface.projection, log);
  return surface.finalOf(outputs, memory);
}

/** Every call that was opened ends exactly once, and nothing about it follows. */
export const bracketFaultOf: Law = (surface, log) => {
  const whole = closedLog(log);
  const { outputs, run } = played(surface.projection, whole);
  if (run.status !== "closed") return `the run is ${run.status} after its closing`;
  if (run.calls.open.size > 0) return `${run.calls.open.size} calls are open after the run`;
  const doubled = doubledEndOf(surface, outputs);
  if (doubled || !surface.isEnd || !surface.callOf) return doubled;
  const shown = new Set(outputs.map(surface.callOf));
  const ended = new Set(outputs.filter(surface.isEnd).map(surface.callOf));
  const endless = [...shown].find((callId) => callId !== undefined && !ended.has(callId));
  return endless && `call ${endless} is shown and never ends`;
};

/** The part of the bracket law that holds for every history, also a broken one. */
export function doubledEndOf<Memory, Output>(
  surface: Surface<Memory, Output>,
  outputs: readonly Output[],
): string | undefined {
  const { isEnd, callOf } = surface;
  if (!isEnd || !callOf) return undefined;
  const ended = new Set<string>();
  for (const output of outputs) {
    const callId = callOf(output);
    if (callId === undefined) continue;
    if (ended.has(callId)) {
      return `call ${callId} has ended and is shown ${isEnd(output) ? "to end again" : "again"}`;
    }
    if (isEnd(output)) ended.add(callId);
  }
  return undefined;
}

/** A log without its deltas ends in the same. */
export const hintFaultOf: Law = (surface, log) => {
  const whole = closedLog(log);
  return difference(
    "without deltas",
    finalViewOf(surface, whole),
    finalViewOf(surface, withoutDeltas(whole)),
  );
};

/** Doubling, overlapping and merging deltas changes nothing. */
export const offsetFaultOf: Law = (surface, log, random) => {
  const { outputs } = played(surface.projection, log);
  const same = {
    "every delta sent twice": withDoubledDeltas(log),
    "deltas that overlap": withOverlappingDeltas(log, random),
  };
  for (const [how, variation] of Object.entries(same)) {
    const fault = difference(how, outputs, played(surface.projection, variation).outputs);
    if (fault) return fault;
  }
  const whole = closedLog(log);
  const final = finalViewOf(surface, whole);
  const alike = {
    "every delta written twice": withRewrittenDeltas(whole),
    "neighbours merged": withMergedDeltas(whole, random),
    "deltas coalesced": coalesced(whole, random),
    "overlaps coalesced": coalesced(withOverlappingDeltas(whole, random), random),
  };
  for (const [how, variation] of Object.entries(alike)) {
    const fault = difference(how, final, finalViewOf(surface, variation));
    if (fault) return fault;
  }
  return undefined;
};

function coalesced(log: readonly RunEvent[], random: Random): readonly RunEvent[] {
  const coalescer = createCoalescer({ maxDelayMs: random.int(100), maxChars: random.int(64) });
  return [...log.flatMap((event) => coalescer.push(event)), ...coalescer.flush()];
}

const mostPrefixes = searchCount(120);

/** Pushing on from any prefix, and replaying it from scratch, both show the same; `step` is pure. */
export const replayFaultOf: Law = (surface, log) => {
  const { projection } = surface;
  const live = createProjector(projection);
  const stride = Math.max(1, Math.ceil(log.length / mostPrefixes));
  const shown: unknown[] = [];
  const steps: (() => string | undefined)[] = [];
  const spied: Projection<typeof projection.initial, unknown> = {
    initial: projection.initial,
    step(memory, event, change) {
      const step = projection.step(memory, event, change);
      steps.push(() =>
        difference(`seq ${event.seq} stepped again`, step, projection.step(memory, event, change)),
      );
      return step;
    },
  };
  const watched = createProjector(spied);
  for (const [index, event] of log.entries()) {
    shown.push(...live.push(event));
    watched.push(event);
    if (index % stride !== 0 && index !== log.length - 1) continue;
    const replay = played(projection, log.slice(0, index + 1));
    const fault =
      difference(`outputs up to seq ${event.seq}`, shown, replay.outputs) ??
      difference(`memory at seq ${event.seq}`, live.memory, replay.memory);
    if (fault) return fault;
  }
  return steps.map((again) => again()).find((fault) => fault !== undefined);
};

/** What a surface shows of one call does not depend on how others are interleaved with it. */
export const independenceFaultOf: Law = (surface, log, random) => {
  const { callOf, placelessOf } = surface;
  if (!callOf) return undefined;
  const byCall = (events: readonly RunEvent[]): ReadonlyMap<string, readonly unknown[]> => {
    const calls = new Map<string, unknown[]>();
    for (const output of played(surface.projection, events).outputs) {
      const callId = callOf(output);
      if (callId === undefined) continue;
      const outputs = calls.get(callId) ?? [];
      calls.set(callId, outputs);
      outputs.push(placelessOf ? placelessOf(output) : output);
    }
    return calls;
  };
  const before = byCall(log);
  const after = byCall(reinterleaved(log, random));
  for (const [callId, outputs] of before) {
    const fault = difference(`call ${callId} interleaved anew`, outputs, after.get(callId));
    if (fault) return fault;
  }
  return undefined;
};

const usualDeltaOverhead = 640;

/** What deltas cost so far is in proportion to their length so far, whatever came before them. */
export const linearityFaultOf: Law = (surface, log) => {
  const { newsOf = (output: unknown) => output, deltaOverhead = usualDeltaOverhead } = surface;
  const projector = createProjector(surface.projection);
  let bytes = 0;
  let allowed = 0;
  for (const event of log) {
    const outputs = projector.push(event);
    const delta = deltaViewOf(event);
    if (!delta) continue;
    bytes += bytesOf(outputs.map(newsOf));
    allowed += deltaOverhead + 4 * bytesOf(delta.text);
    if (bytes > allowed)
      return `the deltas up to seq ${event.seq} put out ${bytes} bytes, more than ${allowed}`;
  }
  return undefined;
};

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify([value]));
}

function difference(what: string, expected: unknown, actual: unknown): string | undefined {
  if (isDeepStrictEqual(expected, actual)) return undefined;
  return `${what}: ${shortJson(expected)} became ${shortJson(actual)}`;
}

function shortJson(value: unknown): string {
  const text = JSON.stringify([value], (_, field) => (field instanceof Map ? [...field] : field));
  return text.length <= 1_500 ? text : `${text.slice(0, 1_500)}…`;
}

export const laws = {
  brackets: bracketFaultOf,
  hints: hintFaultOf,
  offsets: offsetFaultOf,
  "live equals replay": replayFaultOf,
  independence: independenceFaultOf,
  linearity: linearityFaultOf,
} as const satisfies Readonly<Record<string, Law>>;

export type LawName = keyof typeof laws;
