/**
 * CPU time of a piece of work, helper threads (garbage collection, compilation) included.
 * Collections are not forced: a full one makes the engine forget the shapes of objects that died, and
 * with them the code it had optimised for these, which no real process does between two calls.
 */

/** Work shorter than this is repeated, for the clock counts in microseconds. */
const SHORTEST = 4e6;

/**
 * The best of several runs, in nanoseconds: as many as fit into `budget` nanoseconds, but at least
 * `runs`. The last run's value comes with it.
 *
 * @param {() => unknown} work
 * @param {{ runs: number, budget: number }} limits
 * @returns {Promise<{ time: number, value: unknown }>}
 */
export async function cpuTime(work, { runs, budget }) {
  let repeats = 1;
  let best = await once(work, repeats);
  let spent = best.time;
  while (best.time * repeats < SHORTEST) {
    const known = Math.max(best.time * repeats, SHORTEST / 20);
    repeats = Math.ceil((repeats * SHORTEST * 1.3) / known);
    best = await once(work, repeats);
    spent += best.time * repeats;
  }
  for (let run = 1; run < runs || spent < budget; run++) {
    const next = await once(work, repeats);
    spent += next.time * repeats;
    if (next.time < best.time) best = next;
  }
  return best;
}

/**
 * @param {() => unknown} work
 * @param {number} repeats
 */
async function once(work, repeats) {
  let value = /** @type {unknown} */ (undefined);
  const before = process.cpuUsage();
  for (let turn = 0; turn < repeats; turn++) {
    const pending = work();
    value = pending instanceof Promise ? await pending : pending;
  }
  const used = process.cpuUsage(before);
  return { time: ((used.user + used.system) * 1000) / repeats, value };
}
