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
  fullCount: 30,
  quickCount: 3,
  tryCase,
};

/** In order; after them the first three kinds come again and again. */
const once: readonly ((seed: number) => Promise<CaseReport>)[] = [
  cutsCase,
  killCase,
  hostileCase,
  stallCase,
  crowdCase,
  churnCase,
];
const again = [cutsCase, killCase, hostileCase] as const;

function tryCase(seed: number): Promise<CaseReport> {
  const kind = once[seed - 1] ?? again[seed % again.length] ?? cutsCase;
  return kind(seed);
}
