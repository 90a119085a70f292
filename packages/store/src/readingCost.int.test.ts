/**
 * What the statements of `store.read` and of the server's lists cost a user, in blocks that the database looks at. They
 * are recorded while they run, and explained afterwards under the same rights.
 */
import { randomUUID } from "node:crypto";
import { createLife } from "@callboard/testkit";
import { createMigratedDatabase, type TestDatabase } from "@callboard/testkit/postgres";
import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { columnParsers } from "./connections/columnParsers.js";
import {
  type ConversationStore,
  createConversationStore,
} from "./conversations/conversationStore.js";
import { openStore } from "./openStore.js";
import { createReaders, type Readers } from "./reading/readers.js";
import type { StoreTables } from "./schema.js";
import { crowdScript } from "./testing/crowd.js";
import { createListener, createStillClock } from "./testing/testStore.js";
import { uuidLife } from "./testing/uuidLog.js";

const plansSchema = z.tuple([
  z.object({
    "QUERY PLAN": z.tuple([
      z.object({
        Plan: z.looseObject({ "Shared Hit Blocks": z.number(), "Shared Read Blocks": z.number() }),
      }),
    ]),
  }),
]);

interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** So many public conversations of others, and as many private ones, at each step. */
const step = 3_000;
const ownConversations = 60;

describe("what is read for one user", () => {
  let test: TestDatabase;
  let client: pg.Client;
  let db: Kysely<StoreTables>;
  let recorded: Statement[] = [];
  const userId = randomUUID();
  let last = { conversationId: "", runId: "" };

  beforeAll(async () => {
    test = await createMigratedDatabase();
    const store = await openStore(
      { url: test.url },
      { clock: createStillClock(), logger: createListener() },
    );
    for (let count = 0; count < ownConversations; count += 1) {
      const log = uuidLife(life.log, randomUUID());
      const [first] = log;
      if (first?.type !== "run.started") throw new Error("a life begins with its run");
      await store.log({ userId }).append(first.runId, 0, log);
      last = { conversationId: first.conversationId, runId: first.runId };
    }
    await store.close();
    client = new pg.Client({ connectionString: test.url });
    await client.connect();
    const pool = new pg.Pool({
      connectionString: test.url,
      max: 1,
      types: {
        getTypeParser: (oid, format) => columnParsers[oid] ?? pg.types.getTypeParser(oid, format),
      },
    });
    db = new Kysely({
      dialect: new PostgresDialect({ pool }),
      log: ({ query: { sql, parameters } }) => void recorded.push({ sql, parameters }),
    });
  });
  afterAll(async () => {
    await db.destroy();
    await client.end();
    await test.drop();
  });

  const as = { userId };
  type Ask = (read: Readers, rows: ConversationStore) => Promise<unknown>;
  const page = { limit: 100 };
  const questions: Readonly<Record<string, Ask>> = {
    "one conversation": (read) => read.conversation({ as, conversationId: last.conversationId }),
    "its messages and calls": (read) =>
      read.messagesWithCalls({ as, conversationId: last.conversationId }),
    "a page of its messages": (_, rows) => rows.messages(as, last.conversationId, page),
    "a page of its calls": (_, rows) => rows.toolCalls(as, last.conversationId, page),
    "the rows that a search found": (_, rows) =>
      rows.foundRows(as, [last.conversationId], "lighthouse"),
    "its runs": (read) => read.runsOf({ as, conversationId: last.conversationId }),
    "the events of a run": (read) => read.events({ as, runId: last.runId, after: 0 }),
    "the rest of a run": (read) => read.lines({ as: "service", runId: last.runId, after: 5 }),
    "the state of a run": (read) => read.outline({ as, runId: last.runId }),
    "the list": (read) => read.conversations({ as, limit: 20 }),
    "a search": (read) => read.conversations({ as, search: "lighthouse" }),
  };

  /** All statements of a question together. */
  async function blocksOf(ask: Ask): Promise<number> {
    recorded = [];
    await ask(createReaders(db), createConversationStore(db));
    const statements = recorded;
    let blocks = 0;
    await client.query("begin");
    for (const { sql, parameters } of statements) {
      if (!/^\s*(?:select|with)\b/i.test(sql)) continue;
      const values = [...parameters];
      // Once before, so that catalogues are in the cache and the reader's role is taken.
      await client.query(sql, values);
      const { rows } = await client.query(`explain (analyze, buffers, format json) ${sql}`, values);
      const [
        {
          "QUERY PLAN": [{ Plan: plan }],
        },
      ] = plansSchema.parse(rows);
      blocks += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
    }
    await client.query("rollback");
    return blocks;
  }

  async function allBlocks(): Promise<ReadonlyMap<string, number>> {
    const all = new Map<string, number>();
    for (const [name, ask] of Object.entries(questions)) all.set(name, await blocksOf(ask));
    return all;
  }

  async function addOthers(): Promise<void> {
    for (const isPublic of [true, false]) {
      await client.query(crowdScript({ isPublic, conversations: step }));
    }
  }

  it("costs as many blocks among three times as many of others", async () => {
    await addOthers();
    await client.query("vacuum analyze");
    const before = await allBlocks();
    expect([...before.values()].every((blocks) => blocks > 0)).toBe(true);
    await addOthers();
    await addOthers();
    await client.query("vacuum analyze");
    // A tree grows by a level, and another plan may be chosen. A scan of what the others have would be hundreds.
    for (const [name, blocks] of await allBlocks()) {
      const most = 1.4 * (before.get(name) ?? 0) + 30;
      expect({ name, blocks, isAsBefore: blocks <= most }).toEqual({
        ...{ name, blocks },
        isAsBefore: true,
      });
    }
  });

  it("costs a search little of what others have written a moment ago", async () => {
    await client.query("vacuum analyze");
    const search = (read: Readers) => read.conversations({ as, search: "absent" });
    const before = await blocksOf(search);
    await addOthers();
    await addOthers();
    expect((await blocksOf(search)) - before).toBeLessThanOrEqual(40);
  });
});

const life = createLife(
  "asking",
  "A question, a call and an answer.",
  ({ user, model, tool, run }) => {
    user.says("Where is the lighthouse?");
    model.begins();
    const found = model.calls("Grep", { pattern: "keeper" });
    model.ends();
    tool.starts(found);
    tool.ends(found, "src/keeper.ts");
    model.begins();
    model.says("On the rock, behind the harbour.");
    model.ends();
    run.ends();
  },
);
