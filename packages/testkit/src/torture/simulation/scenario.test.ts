/** The simulation itself: a seed is a history, and the histories of the first seeds break no law. */
import { expect, it } from "vitest";
import { playScenario } from "./scenario.js";

/** Whoever plants bugs plays more of them. */
const seeds = Number(process.env.SIMULATION_SEEDS ?? 2);

it("plays the same history for the same seed", async () => {
  const first = await playScenario(3, { keepsHistory: true });
  const second = await playScenario(3, { keepsHistory: true });
  expect(second.history).toEqual(first.history);
  expect(second.hash).toBe(first.hash);
  expect(first.figures.steps).toBeGreaterThan(100);
  expect((await playScenario(4)).hash).not.toBe(first.hash);
});

it("breaks no law", async () => {
  for (let seed = 1; seed <= seeds; seed += 1) {
    const { failure, history } = await playScenario(seed);
    expect(failure, `seed ${seed}\n${history.join("\n")}`).toBeUndefined();
  }
}, 600_000);
