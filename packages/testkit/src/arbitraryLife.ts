/**
 * Random runs: valid logs of random intents, as many as wanted. The same code runs over a seed, for a fast search, and
 * over fast-check's numbers, for shrinking.
 */
import { conversationId, createRecorder, type RunEvent, runId } from "@callboard/run-log";
import fc from "fast-check";
import { type IdCounts, randomIntent } from "./randomLife/intent.js";
import { randomRunOutcome } from "./randomLife/material.js";
import { createRandom, type Random, randomFrom } from "./torture/random.js";

export interface RandomLife {
  readonly log: readonly RunEvent[];
  /** How many intents the rules refused on the way. */
  readonly refusals: number;
}

const start = {
  type: "startRun",
  runId: runId("run_random"),
  conversationId: conversationId("conv_random"),
  model: "rehearsal",
} as const;

/** `steps` intents; half of the runs are complete, the others stop anywhere. */
export function randomLife(random: Random, steps: number): RandomLife {
  let now = 1_800_000_000_000;
  const clock = (): number => {
    now += random.int(40);
    return now;
  };
  const recorder = createRecorder(clock);
  const log: RunEvent[] = [];
  const ids: IdCounts = { messages: 0, parts: 0, calls: 0, approvals: 0 };
  let refusals = 0;
  const record = (intent: Parameters<typeof recorder.propose>[0]): void => {
    const decision = recorder.propose(intent);
    if (decision.status === "refused") refusals += 1;
    else for (const event of decision.events) log.push(event);
  };
  record(start);
  for (let step = 0; step < steps; step += 1) record(randomIntent(random, recorder.state, ids));
  if (random.next() < 0.5) record({ type: "closeRun", outcome: randomRunOutcome(random) });
  return { log, refusals };
}

export function seededLife(seed: number, mostSteps = 60): RandomLife {
  const random = createRandom(seed);
  return randomLife(random, 1 + random.int(mostSteps));
}

const drawsPerStep = 5;

/** Shrinks by drawing less and by drawing zeros, which stand for the plainest choice. */
export const arbitraryLife: fc.Arbitrary<RandomLife> = fc
  .array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), {
    maxLength: 80 * drawsPerStep,
    size: "max",
  })
  .map((draws) => randomLife(createTape(draws), Math.ceil(draws.length / drawsPerStep)));

/** Chance read from a tape; beyond its end every draw is zero. */
export function createTape(draws: readonly number[]): Random {
  let position = 0;
  return randomFrom(() => {
    const draw = draws[position] ?? 0;
    position += 1;
    return draw;
  });
}
