/**
 * The store under everything that can happen to its nodes and its database. Most cases: four worker
 * processes on one PostgreSQL, killed and paused at random, and the server stopped on the spot once. The
 * others: an embedded database whose process is killed again and again. The seed decides what happens and
 * when; where exactly it hits is the machine's business.
 */
import { embeddedCase } from "./store/embeddedCase.js";
import { serverCase } from "./store/serverCase.js";
import type { TorturePart } from "./torturePart.js";

export const storeTorture: TorturePart = {
  name: "store",
  promise:
    "kill -9, pauses and immediate stops of PostgreSQL under four nodes, kills of PGlite: nothing stored is lost, no gap, one end each, no write by a fenced node",
  fullCount: 67,
  quickCount: 1,
  tryCase: (seed) => (seed % 4 === 2 ? embeddedCase(seed) : serverCase(seed)),
};
