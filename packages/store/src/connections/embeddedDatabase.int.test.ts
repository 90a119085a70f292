/** One connection, many users: nobody's statement runs inside another's transaction. */
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { prepareData } from "../folder/prepareData.js";
import { preparedData } from "../folder/preparedData.js";
import { slowStartMs } from "../testing/testStore.js";
import { type EmbeddedDatabase, openEmbeddedDatabase } from "./embeddedDatabase.js";

let database: EmbeddedDatabase;
beforeAll(async () => {
  await prepareData();
  const prepared = await preparedData();
  database = await openEmbeddedDatabase(prepared ? { prepared: new Blob([prepared]) } : {});
}, slowStartMs);
afterAll(() => database.close());

const roleOf = async (db: EmbeddedDatabase["db"]): Promise<string> => {
  const { rows } = await sql<{ role: string }>`select current_user as role`.execute(db);
  return rows[0]?.role ?? "";
};

it("a statement waits for the transaction before it, and never has its role", async () => {
  const { db } = database;
  const order: string[] = [];
  const inside = db.transaction().execute(async (transaction) => {
    await sql`select set_config('role', 'authenticated', true)`.execute(transaction);
    for (let turn = 0; turn < 20; turn += 1) order.push(await roleOf(transaction));
  });
  const outside = Array.from({ length: 20 }, async () => order.push(await roleOf(db)));
  await Promise.all([inside, ...outside]);
  expect(order).toEqual([
    ...Array.from({ length: 20 }, () => "authenticated"),
    ...Array.from({ length: 20 }, () => "postgres"),
  ]);
});

it("a transaction that fails is taken back, and the next one works", async () => {
  const { db } = database;
  await expect(
    db.transaction().execute(async (transaction) => {
      await sql`create table made_in_vain (id int)`.execute(transaction);
      await sql`select 1 / 0`.execute(transaction);
    }),
  ).rejects.toThrow("division by zero");
  const { rows } = await sql`select to_regclass('made_in_vain') as made`.execute(db);
  expect(rows).toEqual([{ made: null }]);
});

it("reads columns as a server's connection does", async () => {
  const { rows } = await sql`
    select 9007199254740991::int8 as big, 1.5::numeric as cost, '{"b":1, "a":"\\u0000"}'::json as log,
      '{"b":1,"a":2}'::jsonb as value
  `.execute(database.db);
  expect(rows).toEqual([
    {
      big: 9_007_199_254_740_991,
      cost: 1.5,
      log: '{"b":1, "a":"\\u0000"}',
      value: { a: 2, b: 1 },
    },
  ]);
  await expect(sql`select 9007199254740993::int8`.execute(database.db)).rejects.toThrow(
    "too large a number to read",
  );
});

it("asks for little memory", async () => {
  const { rows } = await sql<{ buffers: string }>`
    select current_setting('shared_buffers') as buffers
  `.execute(database.db);
  expect(rows[0]?.buffers).toBe("16MB");
});
