/** One user with fifty small conversations, written by the store, and what that user asks. */
import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { runOf } from "../store/logs.js";

/** @typedef {import("../../../packages/store/dist/index.js").Store} Store */

/**
 * @typedef {object} User
 * @property {string} userId
 * @property {{ conversationId: string, runId: string }[]} runs
 */

/**
 * @param {Store} store
 * @param {number} conversations
 * @returns {Promise<User>}
 */
export async function createUser(store, conversations) {
  const userId = randomUUID();
  const log = store.log({ userId });
  const runs = [];
  for (let count = 0; count < conversations; count += 1) {
    const conversationId = randomUUID();
    const events = runOf({ conversationId, calls: 3 });
    const [first] = events;
    if (first === undefined) throw new Error("a run has events");
    await log.append(first.runId, 0, events);
    runs.push({ conversationId, runId: first.runId });
  }
  return { userId, runs };
}

/**
 * What is measured: each asks once.
 *
 * @param {Store} store
 * @param {User} user
 * @returns {Readonly<Record<string, () => Promise<unknown>>>}
 */
export function questionsOf(store, user) {
  const as = { userId: user.userId };
  const writer = randomUUID();
  const { db } = store.database;
  const [first] = user.runs;
  if (first === undefined) throw new Error("a user has runs");
  const { conversationId, runId } = first;
  const asUser = (/** @type {ReturnType<typeof sql>} */ statement) =>
    db.transaction().execute(async (transaction) => {
      const claims = JSON.stringify({ sub: user.userId });
      await sql`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true)`.execute(
        transaction,
      );
      return await statement.execute(transaction);
    });
  return {
    "one conversation": () => store.read.conversation({ as, conversationId }),
    "messages and calls of one conversation": () =>
      store.read.messagesWithCalls({ as, conversationId }),
    "events of one run": () => store.read.events({ as, runId, after: 0 }),
    "resume of a run at its middle": () =>
      store.read.events({ as: "service", runId, after: 10, limit: 500 }),
    "list of conversations": () => store.read.conversations({ as, limit: 50 }),
    "search by a word": () => store.read.conversations({ as, search: "sources", limit: 50 }),
    "search by a word of every own message": () =>
      store.read.conversations({ as, search: "please", limit: 50 }),
    "count of all own messages": () =>
      asUser(sql`
        select count(*) from cx_message
        where conversation_id in (select id from cx_conversation where user_id = ${user.userId})`),
    "count of all own calls": () =>
      asUser(sql`select count(*) from cx_tool_call where user_id = ${user.userId}`),
    // By somebody else, so that what this user has stays what it was.
    "append of a run": async () => {
      const events = runOf({ conversationId: randomUUID(), calls: 3 });
      const [start] = events;
      if (start !== undefined) await store.log({ userId: writer }).append(start.runId, 0, events);
    },
  };
}

/**
 * Questions that look at everything that the user may see: they grow with it, by their nature.
 *
 * @param {Store} store
 * @param {User} user
 * @returns {Readonly<Record<string, () => Promise<unknown>>>}
 */
export function broadQuestionsOf(store, user) {
  const { db } = store.database;
  const count = (/** @type {string} */ table) =>
    db.transaction().execute(async (transaction) => {
      const claims = JSON.stringify({ sub: user.userId });
      await sql`select set_config('role', 'authenticated', true), set_config('request.jwt.claims', ${claims}, true)`.execute(
        transaction,
      );
      return await sql`select count(*) from ${sql.table(table)}`.execute(transaction);
    });
  return {
    "count(*) of every visible conversation": () => count("cx_conversation"),
    "count(*) of every visible message": () => count("cx_message"),
  };
}
