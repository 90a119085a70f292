/**
 * One user's small questions, alone and among what others have: public and private conversations, then events.
 * `--events=N`, `--public=N` and `--others=N` say how many; `--only=rights` and `--only=events` leave the other half out.
 *
 * Each amount has a database of its own on one server, and each question is asked of all of them in turn: what else the
 * machine does falls on all alike, so the ratios count and the times do not.
 */
import { loadavg } from "node:os";
import pg from "pg";
import { openStore } from "../../../packages/store/dist/index.js";
import { startPostgres } from "../../../packages/testkit/dist/postgres/server.js";
import { quiet } from "../store/places.js";
import { addCrowds } from "./crowd.js";
import { broadQuestionsOf, createUser, questionsOf } from "./user.js";

/** @typedef {import("../../../packages/store/dist/index.js").Store} Store */
/** @typedef {(url: string) => Promise<void>} Fill */
/** @typedef {{ name: string, fill: Fill }} Column */
/** @typedef {Readonly<Record<string, () => Promise<unknown>>>} Questions */

const ownConversations = 50;
const eventsEach = 100;

/** So many times `turns` at most. */
const mostRounds = 12;
/** A time that is less than this share of the best one so far counts as quicker. */
const quicker = 0.97;

/**
 * The quickest of each: on a machine that does other things it says most about the question itself. A question is asked
 * until no place has been quicker for `turns` times.
 *
 * @param {readonly Questions[]} places
 * @param {number} turns
 * @returns {Promise<readonly (readonly [string, readonly number[]])[]>}
 */
async function timed(places, turns) {
  const [first = {}] = places;
  /** @type {(readonly [string, readonly number[]])[]} */
  const rows = [];
  for (const name of Object.keys(first)) {
    const best = places.map(() => Number.POSITIVE_INFINITY);
    let steady = 0;
    for (let turn = 0; steady < turns && turn < turns * mostRounds; turn++) {
      steady += 1;
      for (const [index, questions] of places.entries()) {
        const started = performance.now();
        await questions[name]?.();
        const taken = performance.now() - started;
        const before = best[index] ?? 0;
        if (taken < before * quicker) steady = 0;
        best[index] = Math.min(before, taken);
      }
    }
    rows.push([name, best]);
  }
  return rows;
}

/**
 * @param {readonly string[]} flags
 * @param {string} name
 * @param {number} otherwise
 */
function amount(flags, name, otherwise) {
  const flag = flags.find((one) => one.startsWith(`--${name}=`));
  const value = flag === undefined ? otherwise : Number(flag.slice(name.length + 3));
  if (!Number.isSafeInteger(value) || value < 0) throw new Error(`--${name} is a whole number`);
  return value;
}

/**
 * @param {readonly string[]} names
 * @param {readonly (readonly [string, readonly number[]])[]} rows
 */
function table(names, rows) {
  const head = ["", ...names.flatMap((name, index) => (index === 0 ? [name] : [name, "×"]))];
  const lines = rows.map(([question, times]) => [
    question,
    ...times.flatMap((time, index) => {
      const text = `${time.toFixed(2)} ms`;
      return index === 0 ? [text] : [text, (time / (times[0] ?? 1)).toFixed(2)];
    }),
  ]);
  return [head, head.map(() => "---"), ...lines].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/**
 * @param {string} serverUrl
 * @param {readonly Column[]} columns
 * @param {number} turns
 * @param {(line: string) => void} say
 */
async function measured(serverUrl, columns, turns, say) {
  /** @type {Store[]} */
  const stores = [];
  try {
    /** @type {{ small: Questions, broad: Questions }[]} */
    const places = [];
    for (const [index, { name, fill }] of columns.entries()) {
      const url = await newDatabase(
        serverUrl,
        `growth_${stores.length}_${index}_${columns.length}`,
      );
      const store = await openStore({ url }, quiet);
      stores.push(store);
      const user = await createUser(store, ownConversations);
      const started = performance.now();
      await fill(url);
      say(`filled in ${((performance.now() - started) / 1000).toFixed(0)} s: ${name}`);
      places.push({ small: questionsOf(store, user), broad: broadQuestionsOf(store, user) });
    }
    const rows = [
      ...(await timed(
        places.map(({ small }) => small),
        turns,
      )),
      ...(await timed(
        places.map(({ broad }) => broad),
        3,
      )),
    ];
    const result = table(
      columns.map(({ name }) => name),
      rows,
    );
    say(result);
    return result;
  } finally {
    for (const store of stores) await store.close();
  }
}

/**
 * @param {string} serverUrl
 * @param {string} name
 */
async function newDatabase(serverUrl, name) {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(`create database ${name}`);
  } finally {
    await client.end();
  }
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

/** @param {{ quick: boolean, say: (line: string) => void, flags: readonly string[] }} options */
export async function run({ quick, say, flags }) {
  const publicOnes = amount(flags, "public", quick ? 2_000 : 200_000);
  const others = amount(flags, "others", quick ? 10_000 : 1_000_000);
  const events = amount(flags, "events", quick ? 10_000 : 10_000_000);
  const base = Math.min(events, 100_000);
  const turns = quick ? 9 : 61;
  const only = flags.find((flag) => flag.startsWith("--only="))?.slice("--only=".length);
  const loads = [loadavg()[0] ?? 0];
  const text = (/** @type {number} */ count) => count.toLocaleString("en");
  const few = { conversations: 10, eventsEach: 0, isPublic: false };
  const withEvents = (/** @type {number} */ count) => ({
    name: `${text(count)} events`,
    fill: (/** @type {string} */ url) =>
      addCrowds(url, [{ conversations: count / eventsEach, eventsEach, isPublic: false }]),
  });

  /** @param {readonly Column[]} columns */
  async function onServer(columns) {
    const server = await startPostgres({ isDurable: true });
    try {
      return await measured(server.url, columns, turns, say);
    } finally {
      loads.push(loadavg()[0] ?? 0);
      await server.remove();
    }
  }

  const rights =
    only === "events"
      ? undefined
      : await onServer([
          { name: "alone", fill: (url) => addCrowds(url, [few]) },
          {
            name: `${text(publicOnes)} public, ${text(others)} of others`,
            fill: (url) =>
              addCrowds(url, [
                { conversations: publicOnes, eventsEach: 0, isPublic: true },
                { conversations: others, eventsEach: 0, isPublic: false },
              ]),
          },
        ]);
  const growth =
    only === "rights" ? undefined : await onServer([withEvents(base), withEvents(events)]);
  return [
    `A user with ${ownConversations} conversations queries PostgreSQL. A query is repeated until ${turns} repetitions were not faster than the best one; the best counts, from the program to the answer. Each`,
    "amount has a database of its own on one server, and they are queried in turn. Another user appends.",
    `The load of the machine was up to ${Math.max(...loads).toFixed(1)}.`,
    ...(rights === undefined ? [] : ["", "### What others have", "", rights]),
    ...(growth === undefined ? [] : ["", "### How many events there are", "", growth]),
  ].join("\n");
}
