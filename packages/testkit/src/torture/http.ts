/**
 * The server under readers that are cut, nodes that die, requests that are hostile, and crowds. Each is a
 * part of its own with a name; `http` is all of them. The first case of a part is a small one, for `npm test`.
 */
import { chaosCase } from "./http/chaosCase.js";
import { churnCase } from "./http/churnCase.js";
import { crowdCase } from "./http/crowdCase.js";
import { cutsCase } from "./http/cutsCase.js";
import { hostileCase } from "./http/hostileCase.js";
import { keysCase } from "./http/keysCase.js";
import { killCase } from "./http/killCase.js";
import { matrixCase } from "./http/matrixCase.js";
import { partitionCase } from "./http/partitionCase.js";
import { stallCase } from "./http/stallCase.js";
import { strangersCase } from "./http/strangersCase.js";
import { tenantsCase } from "./http/tenantsCase.js";
import type { TorturePart } from "./torturePart.js";

const group = "http";
const fewCuts = { runs: 3, readersOfRun: 1, leastCutsOfRun: 1 };
/** Eight cases are ten thousand cuts. */
const manyCuts = { runs: 10, readersOfRun: 3, leastCutsOfRun: 125 };
const firstOr = (seed: number, small: number, full: number): number => (seed === 1 ? small : full);

export const httpTortures: readonly TorturePart[] = [
  {
    name: "http-cuts",
    group,
    promise:
      "readers cut at random bytes come back to either node: nothing lost, nothing told twice",
    fullCount: 9,
    quickCount: 1,
    tryCase: (seed, tell) => cutsCase(seed, seed === 1 ? fewCuts : manyCuts, tell),
  },
  {
    name: "http-kills",
    group,
    promise:
      "nodes die under load: readers see every event, each call has one end, resumable runs go on",
    fullCount: 12,
    quickCount: 1,
    tryCase: (seed) => killCase(seed, firstOr(seed, 1, 3)),
  },
  {
    name: "http-keys",
    group,
    promise:
      "requests cut and sent again with their key, to either node: done once, answered the same",
    fullCount: 1,
    quickCount: 0,
    tryCase: (seed, tell) => keysCase(seed, 200, tell),
  },
  {
    name: "http-tenants",
    group,
    promise:
      "somebody else asks every route of both nodes for a run that they know of: nothing is told",
    fullCount: 1,
    quickCount: 0,
    tryCase: (seed) => tenantsCase(seed, 1_000),
  },
  {
    name: "http-hostile",
    group,
    promise: "malformed and hostile requests: no crash, no answer 500",
    fullCount: 5,
    quickCount: 1,
    tryCase: (seed) => hostileCase(seed, firstOr(seed, 200, 2_500)),
  },
  {
    name: "strangers",
    group,
    promise:
      "hostile requests of 40 kinds beside an honest user: the same outcome, at most 3 times as slow",
    fullCount: 2,
    quickCount: 1,
    tryCase: (seed, tell) =>
      strangersCase(seed, { requests: firstOr(seed, 40, 10_000), isTimed: seed !== 1 }, tell),
  },
  {
    name: "http-partitions",
    group,
    promise:
      "a node cut off from the database: no tool runs on after a takeover, each call one end",
    fullCount: 10,
    quickCount: 0,
    tryCase: (seed, tell) => partitionCase(seed, 10, tell),
  },
  {
    name: "chaos",
    group,
    promise:
      "nodes killed, restarted, frozen, cut off, without database, disk, descriptors or memory, clocks that jump: each call one end, none executed twice",
    fullCount: 10,
    quickCount: 0,
    tryCase: (seed, tell) => chaosCase(seed, 10, tell),
  },
  {
    name: "http-matrix",
    group,
    promise: "every Host × Origin × token × method but the right ones is refused",
    fullCount: 1,
    quickCount: 0,
    tryCase: () => matrixCase(),
  },
  {
    name: "http-stall",
    group,
    promise:
      "a gigabyte past readers who take nothing: memory bounded, cut in 30 s, complete later",
    fullCount: 1,
    quickCount: 0,
    tryCase: (_, tell) => stallCase(tell),
  },
  {
    name: "http-crowd",
    group,
    promise: "9,000 readers held at 25 KB each, and an event reaches 99 of 100 within a second",
    fullCount: 1,
    quickCount: 0,
    tryCase: (_, tell) => crowdCase(tell),
  },
  {
    name: "http-churn",
    group,
    promise: "100,000 readers come and go: no listener and no memory stays behind",
    fullCount: 1,
    quickCount: 0,
    tryCase: (_, tell) => churnCase(tell),
  },
];
