/**
 * Reading under row-level security, as a user: a conversation of 300 calls in the three ways, the same
 * with ten times as many rows around it, and a run of 51,200 events from its first page to its last.
 */
import { randomUUID } from "node:crypto";
import { createToolEventProjection } from "../../../packages/run-log/dist/projections/index.js";
import { batchesOf, runOf } from "./logs.js";

/** @typedef {import("./places.js").Place} Place */

/**
 * Milliseconds, the best of several.
 *
 * @typedef {object} Reading
 * @property {string} place
 * @property {string} name
 * @property {number} few
 * @property {number} many
 */

/**
 * @param {Place} place
 * @param {{ few: number, many: number }} conversations
 * @returns {Promise<Reading[]>}
 */
export async function readOn({ name: place, store }, { few, many }) {
  const userId = randomUUID();
  const as = { userId };
  const conversationId = randomUUID();
  await write(store, userId, conversationId, 300);
  const ways = {
    "A: one joined query": () => store.read.joinedMessages({ as, conversationId }),
    "B: messages, and calls by id": () => store.read.messagesWithCalls({ as, conversationId }),
    "C: calls alone": () => store.read.toolCalls({ as, conversationId }),
    "the last 50 messages": () =>
      store.read.joinedMessages({ as, conversationId, after: 550, limit: 50 }),
    "the list of conversations": () => store.read.conversations({ as, limit: 50 }),
  };
  /** @type {Map<string, number[]>} */
  const times = new Map();
  let written = 1;
  for (const count of [few, many]) {
    for (; written < count; written++) await write(store, userId, randomUUID(), 300);
    await store.database.withScripts((scripts) =>
      scripts.transaction((session) => session.runScript("analyze")),
    );
    for (const [name, work] of Object.entries(ways)) {
      times.set(name, [...(times.get(name) ?? []), await best(work, 5)]);
    }
  }
  return [...times].map(([name, [fewMs = 0, manyMs = 0]]) => ({
    place,
    name,
    few: fewMs,
    many: manyMs,
  }));
}

/**
 * @typedef {object} LongRun
 * @property {string} place
 * @property {number} events
 * @property {number} page Milliseconds to the first 1,000 events.
 * @property {number} whole Milliseconds to all of them.
 * @property {number} replay Milliseconds to all of them as tool events.
 */

/**
 * @param {Place} place
 * @param {number} events
 * @returns {Promise<LongRun>}
 */
export async function longRunOn({ name: place, store }, events) {
  const userId = randomUUID();
  const as = { userId };
  const log = runOf({ conversationId: randomUUID(), calls: Math.ceil(events / 26) }).slice(
    0,
    events,
  );
  const runId = log[0]?.runId ?? "";
  const writer = store.log({ userId });
  for (const part of batchesOf(log, 1000))
    await writer.append(runId, (part[0]?.seq ?? 1) - 1, part);
  const page = await best(() => store.read.events({ as, runId, after: 0, limit: 1000 }), 3);
  const whole = await best(() => store.read.events({ as, runId, after: 0 }), 3);
  const replay = await best(async () => {
    let lines = 0;
    for await (const _ of store.read.replay({ as, runId }, createToolEventProjection())) lines++;
    return lines;
  }, 2);
  return { place, events: log.length, page, whole, replay };
}

/**
 * @param {import("./places.js").Store} store
 * @param {string} userId
 * @param {string} conversationId
 * @param {number} calls
 */
async function write(store, userId, conversationId, calls) {
  const writer = store.log({ userId });
  for (const part of batchesOf(runOf({ conversationId, calls, deltas: 2 }), 500)) {
    const first = part[0];
    if (first) await writer.append(first.runId, first.seq - 1, part);
  }
}

/**
 * @param {() => Promise<unknown>} work
 * @param {number} rounds
 */
async function best(work, rounds) {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const since = performance.now();
    await work();
    least = Math.min(least, performance.now() - since);
  }
  return least;
}
