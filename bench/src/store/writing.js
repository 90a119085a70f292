/**
 * Writing: the same kind of run through the store, as an agent appends it, and as plain inserts of the
 * same bytes, which is the least that any store on this database must pay.
 */
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { batchesOf, runOf } from "./logs.js";

const pg = createRequire(new URL("../../../packages/store/package.json", import.meta.url))("pg");

/** @typedef {import("./places.js").Place} Place */
/** @typedef {import("./logs.js").RunEvent} RunEvent */

/**
 * `perSecond` by the clock; `cpu` is microseconds of this process for each event.
 *
 * @typedef {object} Written
 * @property {string} place
 * @property {string} name
 * @property {number} perSecond
 * @property {number} cpu
 */

/**
 * @param {Place} place
 * @param {number} events
 * @returns {Promise<Written[]>}
 */
export async function writtenOn(place, events) {
  const { url } = place;
  const few = events / 10;
  const ways = [
    {
      name: "store, 64 runs at once, 4 events a batch",
      prepare: throughStore(place, events, 64, 4),
    },
    { name: "store, one run, 50 events a batch", prepare: throughStore(place, events, 1, 50) },
    { name: "store, one run, one commit for each event", prepare: throughStore(place, few, 1, 1) },
  ];
  if (url !== undefined) {
    ways.push(
      { name: "plain inserts, 50 events a commit", prepare: byInserts(url, events, 50) },
      { name: "plain inserts, one commit for each event", prepare: byInserts(url, few, 1) },
    );
  }
  const written = [];
  for (const { name, prepare } of ways) {
    written.push({ place: place.name, name, ...(await measured(prepare)) });
  }
  return written;
}

/**
 * The better of two rounds by the clock: the first one warms up. What is written is made before.
 *
 * @param {() => Promise<() => Promise<number>>} prepare Gives the work, which says how many events it wrote.
 */
async function measured(prepare) {
  let best = { perSecond: 0, cpu: 0 };
  for (let round = 0; round < 2; round++) {
    const work = await prepare();
    const before = process.cpuUsage();
    const since = performance.now();
    const count = await work();
    const seconds = (performance.now() - since) / 1000;
    const used = process.cpuUsage(before);
    const perSecond = count / seconds;
    if (perSecond > best.perSecond) best = { perSecond, cpu: (used.user + used.system) / count };
  }
  return best;
}

/** Events for each call of `runOf`. */
const EVENTS_PER_CALL = 27;

/** @param {number} events */
function logOf(events) {
  const calls = Math.max(1, Math.round(events / EVENTS_PER_CALL));
  return runOf({ conversationId: randomUUID(), calls });
}

/**
 * @param {Place} place
 * @param {number} events
 * @param {number} runs
 * @param {number} batch
 */
function throughStore({ store }, events, runs, batch) {
  const writer = store.log({ userId: randomUUID() });
  return async () => {
    const logs = Array.from({ length: runs }, () => logOf(events / runs));
    /** @param {readonly RunEvent[]} log */
    const write = async (log) => {
      for (const part of batchesOf(log, batch)) {
        const first = part[0];
        if (first) await writer.append(first.runId, first.seq - 1, part);
      }
    };
    return async () => {
      await Promise.all(logs.map(write));
      return logs.reduce((sum, log) => sum + log.length, 0);
    };
  };
}

/**
 * @param {string} url
 * @param {number} events
 * @param {number} batch
 */
function byInserts(url, events, batch) {
  return async () => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    await client.query(
      "create table if not exists bench_event (run_id uuid, seq bigint, event json, primary key (run_id, seq))",
    );
    const log = logOf(events);
    const runId = log[0]?.runId;
    return async () => {
      for (const part of batchesOf(log, batch)) {
        await client.query(
          "insert into bench_event select $1::uuid, seq, event::json from unnest($2::bigint[], $3::text[]) as e (seq, event)",
          [runId, part.map(({ seq }) => seq), part.map((event) => JSON.stringify(event))],
        );
      }
      await client.end();
      return log.length;
    };
  };
}
