/**
 * The bytes that closed runs take in PostgreSQL for each byte of their text, with the rows that are made from them, the
 * words to search by, and every index: what all cx_* tables have grown by after a plain vacuum.
 */
import { randomUUID } from "node:crypto";
import { createRequire } from "node:module";
import { conversationId, messageId, runId } from "../../../packages/run-log/dist/index.js";
import { openServer } from "../store/places.js";
import { spokenLog, spokenText } from "./logs.js";

const require = createRequire(new URL("../../../packages/store/package.json", import.meta.url));
const pg = require("pg");

const runs = 20;
const characters = 40_000;
const batchEvents = 200;
const perRun = 8 * 1_024;

export async function atRestInDatabase() {
  const place = await openServer();
  const client = new pg.Client({ connectionString: place.url });
  await client.connect();
  try {
    // The pages that deltas need before they are gone are used again from the third round on.
    for (const seed of [1, 2, 3]) {
      await written(place.store, seed);
      await client.query("vacuum");
    }
    const before = await sizeOf(client);
    await written(place.store, 4);
    const after = await sizeOf(client);
    const ratio = (after.total - before.total - runs * perRun) / (runs * characters);
    const tables = Object.entries(after.tables)
      .map(([name, bytes]) => [name, (bytes - (before.tables[name] ?? 0)) / (runs * characters)])
      .filter(([, share]) => Number(share) > 0.005)
      .map(([name, share]) => `${name} ${Number(share).toFixed(2)}`);
    return {
      bar: "closed runs in PostgreSQL ≤ 4 × their text, beyond 8 KB a run (40 KB each, 100 deltas a second)",
      isMet: ratio <= 4,
      measured: `${ratio.toFixed(2)} ×; ${tables.join(", ")}`,
    };
  } finally {
    await client.end();
    await place.remove();
  }
}

/**
 * @param {import("../store/places.js").Store} store
 * @param {number} seed
 */
async function written(store, seed) {
  const userId = randomUUID();
  const random = randomFrom(seed);
  for (let index = 0; index < runs; index++) {
    const log = spokenLog(characters, 13, 33, {
      runId: runId(randomUUID()),
      conversationId: conversationId(randomUUID()),
      messageId: messageId(randomUUID()),
      text: spokenText(characters, random),
    });
    const [first] = log;
    for (let at = 0; first !== undefined && at < log.length; at += batchEvents) {
      await store.log({ userId }).append(first.runId, at, log.slice(at, at + batchEvents));
    }
  }
}

/** @param {number} seed */
function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** @param {import("pg").Client} client */
async function sizeOf(client) {
  await client.query("vacuum analyze");
  const { rows } = await client.query(`
    select relname as name, pg_total_relation_size(oid)::int8 as bytes from pg_class
    where relkind = 'r' and relname like 'cx\\_%'
  `);
  /** @type {Record<string, number>} */
  const tables = {};
  for (const { name, bytes } of rows) tables[name] = Number(bytes);
  const total = Object.values(tables).reduce((sum, bytes) => sum + bytes, 0);
  return { tables, total };
}
