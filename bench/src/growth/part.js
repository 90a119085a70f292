/**
 * One user's small questions, alone and among what others have: `rights` adds public and private conversations,
 * `growth` adds events. `--events=N`, `--public=N` and `--others=N` say how many.
 */
import { loadavg } from "node:os";
import { openServer } from "../store/places.js";
import { addCrowd } from "./crowd.js";
import { broadQuestionsOf, createUser, questionsOf } from "./user.js";

/** @typedef {import("../store/places.js").Place} Place */
/** @typedef {ReadonlyMap<string, number>} Times Milliseconds by question. */

const ownConversations = 50;
const eventsEach = 100;

/**
 * @param {Readonly<Record<string, () => Promise<unknown>>>} questions
 * @param {number} turns
 * @returns {Promise<Times>}
 */
async function timed(questions, turns) {
  const times = new Map();
  for (const [name, ask] of Object.entries(questions)) {
    const taken = [];
    for (let turn = 0; turn < turns; turn++) {
      const started = performance.now();
      await ask();
      taken.push(performance.now() - started);
    }
    // The quickest: on a machine that does other things it says most about the question itself.
    times.set(name, Math.min(...taken));
  }
  return times;
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
 * @param {readonly (readonly [string, Times])[]} columns
 */
function table(columns) {
  const [alone] = columns;
  if (alone === undefined) return "";
  const head = ["", ...columns.flatMap(([name], index) => (index === 0 ? [name] : [name, "×"]))];
  const rows = [...alone[1].entries()].map(([question, first]) => [
    question,
    ...columns.flatMap(([, times], index) => {
      const time = times.get(question) ?? 0;
      const text = `${time.toFixed(2)} ms`;
      return index === 0 ? [text] : [text, (time / first).toFixed(2)];
    }),
  ]);
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** @param {{ quick: boolean, say: (line: string) => void, flags: readonly string[] }} options */
export async function run({ quick, say, flags }) {
  const publicOnes = amount(flags, "public", quick ? 2_000 : 200_000);
  const others = amount(flags, "others", quick ? 10_000 : 1_000_000);
  const events = amount(flags, "events", quick ? 10_000 : 10_000_000);
  const base = Math.min(events, 100_000);
  const turns = quick ? 9 : 61;
  const loads = [loadavg()[0] ?? 0];

  /** @param {(place: Place, measure: (name: string) => Promise<void>) => Promise<void>} grow */
  async function measured(grow) {
    const place = await openServer();
    /** @type {(readonly [string, Times])[]} */
    const columns = [];
    try {
      const user = await createUser(place.store, ownConversations);
      await grow(place, async (name) => {
        const small = await timed(questionsOf(place.store, user), turns);
        const broad = await timed(broadQuestionsOf(place.store, user), 3);
        columns.push([name, new Map([...small, ...broad])]);
        loads.push(loadavg()[0] ?? 0);
        say(
          `${name}: ${JSON.stringify([...small, ...broad].map(([q, ms]) => `${q} ${ms.toFixed(2)}`))}`,
        );
      });
    } finally {
      await place.remove();
    }
    return table(columns);
  }

  const rights = await measured(async ({ url }, measure) => {
    await addCrowd(url, { conversations: 10, eventsEach: 0, isPublic: false });
    await measure("alone");
    await addCrowd(url, { conversations: publicOnes, eventsEach: 0, isPublic: true });
    await measure(`${publicOnes.toLocaleString("en")} public`);
    await addCrowd(url, { conversations: others, eventsEach: 0, isPublic: false });
    await measure(`and ${others.toLocaleString("en")} of others`);
  });
  const growth = await measured(async ({ url }, measure) => {
    await addCrowd(url, { conversations: base / eventsEach, eventsEach, isPublic: false });
    await measure(`${base.toLocaleString("en")} events`);
    if (events === base) return;
    await addCrowd(url, {
      conversations: (events - base) / eventsEach,
      eventsEach,
      isPublic: false,
    });
    await measure(`${events.toLocaleString("en")} events`);
  });
  return [
    `A user with ${ownConversations} conversations asks on PostgreSQL; the quickest of ${turns}, from the program to the answer.`,
    `The load of the machine was up to ${Math.max(...loads).toFixed(1)}.`,
    "",
    "### What others have",
    "",
    rights,
    "",
    "### How many events there are",
    "",
    growth,
  ].join("\n");
}
