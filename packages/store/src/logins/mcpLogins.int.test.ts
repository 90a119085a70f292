/** Logins at MCP servers: a user's own, unreadable in the database, and taken once while they are under way. */
import { randomUUID } from "node:crypto";
import { createMigratedDatabase, type TestDatabase } from "@callboard/testkit/postgres";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openStore } from "../openStore.js";
import type { Store } from "../store.js";
import { createListener, createStillClock } from "../testing/testStore.js";
import { createLoginAttempts } from "./loginAttempts.js";
import { createLoginSealing, createMcpLogins } from "./mcpLogins.js";

const url = "https://tickets.example/mcp/?a=1";
const login = { tokens: { access_token: "access-secret", token_type: "Bearer" }, expiresAt: 5 };

const clock = createStillClock();
let database: TestDatabase;
let store: Store;
beforeAll(async () => {
  database = await createMigratedDatabase();
  store = await openStore({ url: database.url }, { clock, logger: createListener() });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

it("are their user's alone, and forgotten", async () => {
  const { db } = store.database;
  const sealing = await createLoginSealing(db, undefined);
  const [ada, bob] = [randomUUID(), randomUUID()];
  const own = createMcpLogins(db, sealing, ada);
  await own.write(url, {});
  await own.write(url, login);
  expect(await own.read("https://tickets.example/mcp")).toEqual(login);
  expect(await createMcpLogins(db, sealing, bob).read(url)).toBeUndefined();
  await own.write(url, undefined);
  expect(await own.read(url)).toBeUndefined();
});

it("cannot be read in the database, nor used for another user, address or key", async () => {
  const { db } = store.database;
  const sealing = await createLoginSealing(db, "a key that is not in the database");
  const [ada, bob] = [randomUUID(), randomUUID()];
  await createMcpLogins(db, sealing, ada).write(url, login);
  const stored = await sql<{ row: string }>`
    select cx_mcp_login::text as row from cx_mcp_login where user_id = ${ada}
  `.execute(db);
  expect(stored.rows.map(({ row }) => row.includes("secret"))).toEqual([false]);
  await sql`
    insert into cx_mcp_login (user_id, server_url, sealed)
    select ${bob}::uuid, server_url, sealed from cx_mcp_login where user_id = ${ada}
    union all select ${ada}::uuid, 'https://other.example', sealed from cx_mcp_login where user_id = ${ada}
  `.execute(db);
  const other = await createLoginSealing(db, undefined);
  const read = await Promise.all([
    createMcpLogins(db, sealing, ada).read(url),
    createMcpLogins(db, sealing, bob).read(url),
    createMcpLogins(db, sealing, ada).read("https://other.example"),
    createMcpLogins(db, other, ada).read(url),
  ]);
  expect(read).toEqual([login, undefined, undefined, undefined]);
});

it("under way are opened by their link alone, taken once, and expire", async () => {
  const { db } = store.database;
  const attempts = createLoginAttempts(db, await createLoginSealing(db, undefined));
  const userId = randomUUID();
  const now = clock.now();
  const begin = (expiresAt: number) =>
    attempts.begin({ userId, serverUrl: url }, { now, expiresAt });
  const key = await begin(now + 1_000);
  const [id = ""] = key.split(".");
  const attempt = { id, userId, serverUrl: url };
  expect(await attempts.open(key, now)).toEqual(attempt);
  expect(await attempts.open(`${id}.${"x".repeat(43)}`, now)).toBeUndefined();
  expect(await attempts.open(key, now + 1_000)).toBeUndefined();
  // Nobody was sent to the server yet: there is nothing to answer.
  expect(await attempts.take(id, now)).toBeUndefined();
  expect(await attempts.keep(attempt, { state: "s" })).toBe(true);
  expect(await attempts.take(id, now + 1_000)).toBeUndefined();
  const taken = await Promise.all([attempts.take(id, now), attempts.take(id, now)]);
  expect(taken.filter((one) => one !== undefined)).toEqual([
    { ...attempt, checks: { state: "s" } },
  ]);
  expect(await attempts.keep(attempt, {})).toBe(false);
  expect(await attempts.take("no id", now)).toBeUndefined();
  await begin(now);
  await begin(now + 1);
  const left = await sql`select from cx_mcp_login_attempt`.execute(db);
  expect(left.rows).toHaveLength(1);
});
