/**
 * Broken histories, one for each seed: a random life, mutated, must fold without a throw, count its
 * faults, keep its books straight and never show a call after its end on any surface.
 */
import { isDeepStrictEqual } from "node:util";
import {
  evolve,
  formatEventLine,
  initialState,
  parseEventLine,
  type RunEvent,
  type RunState,
} from "@callboard/run-log";
import { randomLife } from "../arbitraryLife.js";
import { dialects } from "../dialects.js";
import { mutate } from "../mutate.js";
import { violationOf } from "../plainReading.js";
import { without } from "../surface.js";
import { createRandom, type Random } from "./random.js";
import type { TorturePart } from "./torturePart.js";

const mostSteps = 20;
const mutationsPerLife = 8;

let lastLife: { readonly seed: number; readonly log: readonly RunEvent[] } | undefined;

/** Making a life costs more than breaking it, so neighbouring seeds break the same one. */
function lifeOf(seed: number): readonly RunEvent[] {
  if (lastLife?.seed === seed) return lastLife.log;
  const random = createRandom(-1 - seed);
  const { log } = randomLife(random, 1 + random.int(mostSteps));
  lastLife = { seed, log };
  return log;
}

export const logTorture: TorturePart = {
  name: "log",
  promise: "a broken history folds, counts its faults and shows no call after its end",
  fullCount: 1_000_000,
  quickCount: 400,
  tryCase(seed) {
    const random = createRandom(seed);
    const { history, kinds } = mutate(lifeOf(Math.floor(seed / mutationsPerLife)), random);
    try {
      const fault = faultOf(history, random, seed);
      return fault && `${fault} (${kinds.join(", ")})`;
    } catch (error) {
      return `threw ${error instanceof Error ? error.stack : String(error)} (${kinds.join(", ")})`;
    }
  },
};

/** One surface for each case, in turn. */
function faultOf(history: readonly RunEvent[], random: Random, seed: number): string | undefined {
  const dialect = dialects[seed % dialects.length];
  if (!dialect) return undefined;
  const { run, doubledEnd } = dialect.survivalOf(history);
  if (doubledEnd) return `${dialect.name}: ${doubledEnd}`;
  const violation = violationOf(history);
  if (violation && run.faultCount === 0) return `no fault counted, although ${violation}`;
  return (
    booksFaultOf(run, history) ??
    redeliveryFaultOf(history, run, random) ??
    lineFaultOf(history, random)
  );
}

/** Open calls are open, settled ones are closed, and none is in both places. */
function booksFaultOf(state: RunState, history: readonly RunEvent[]): string | undefined {
  if (state.status === "unstarted") return undefined;
  const { open, settled, size } = state.calls;
  const settledCount = settled.reduce((count, generation) => count + generation.size, 0);
  if (open.size + settledCount !== size) {
    return `${open.size} open and ${settledCount} settled calls are not ${size}`;
  }
  for (const call of open.values()) {
    if (call.status === "closed") return `call ${call.callId} is closed among the open ones`;
  }
  for (const call of settled.flatMap((generation) => [...generation.values()])) {
    if (call.status !== "closed") return `call ${call.callId} is ${call.status} and settled`;
  }
  const ended = history.flatMap((event) => (event.type === "call.closed" ? [event.callId] : []));
  const closed = settled.flatMap((generation) => [...generation.keys()]);
  const untold = closed.find((callId) => !ended.includes(callId));
  return untold && `call ${untold} is closed and was never told to be`;
}

/** Delivered in chunks that overlap, as after a reconnect, it ends in the same. */
function redeliveryFaultOf(
  history: readonly RunEvent[],
  expected: RunState,
  random: Random,
): string | undefined {
  let state = initialState;
  for (let place = 0; place < history.length; ) {
    const end = place + 1 + random.int(9);
    const overlap = random.int(4);
    const seen = history.slice(Math.max(0, place - overlap), place);
    for (const event of seen) if (event.seq <= state.seq) state = evolve(state, event);
    for (const event of history.slice(place, end)) state = evolve(state, event);
    place = end;
  }
  const isSame = isDeepStrictEqual(withoutFaults(state), withoutFaults(expected));
  return isSame ? undefined : "delivered in overlapping chunks it ends differently";
}

function withoutFaults(state: RunState): unknown {
  return without(state, "faultCount");
}

/** One event of the history, written as a line and read again. */
function lineFaultOf(history: readonly RunEvent[], random: Random): string | undefined {
  if (history.length === 0) return undefined;
  const event = random.pick(history);
  const parsed = parseEventLine(formatEventLine(event));
  if (parsed.status === "malformed") return `seq ${event.seq} cannot be read: ${parsed.problem}`;
  return isDeepStrictEqual(parsed.event, event) ? undefined : `seq ${event.seq} reads differently`;
}
