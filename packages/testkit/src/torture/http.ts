/**
 * The server under readers that are cut, nodes that die, requests that are hostile, and crowds. A seed
 * stands for one kind of case; the heavy ones come once, after those that `npm test` tries.
 */
import { churnCase } from "./http/churnCase.js";
import { crowdCase } from "./http/crowdCase.js";
import { cutsCase } from "./http/cutsCase.js";
import { hostileCase } from "./http/hostileCase.js";
import { killCase } from "./http/killCase.js";
import { stallCase } from "./http/stallCase.js";
import type { CaseReport, TorturePart } from "./torturePart.js";

export const httpTorture: TorturePart = {
  name: "http",
  promise:
    "cuts, dead nodes, a stalled reader, crowds, churn and hostile requests: nothing lost or told twice, one end each, memory bounded, no crash",
  fullCount: 40,
  quickCount: 3,
  tryCase,
};

type Case = (seed: number) => Promise<CaseReport>;

/** In order: three small ones for `npm test`, then what is done once. */
const first: readonly Case[] = [
  (seed) => cutsCase(seed, 3),
  (seed) => killCase(seed, 1),
  (seed) => hostileCase(seed, 500),
  stallCase,
  crowdCase,
  churnCase,
];

/** After them these, in turn. */
const again: readonly Case[] = [
  (seed) => cutsCase(seed, 10),
  (seed) => killCase(seed, 3),
  (seed) => hostileCase(seed, 2_500),
];

function tryCase(seed: number): Promise<CaseReport> {
  const kind = first[seed - 1] ?? again[seed % again.length];
  return kind ? kind(seed) : Promise.reject(new Error(`there is no case ${seed}`));
}
