import { createTestDatabase, type TestDatabase } from "@callboard/testkit/postgres";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Opened, openEmbedded, openServer } from "../testing/stage.js";
import { migrate } from "./migrate.js";
import { type Migration, readMigrations } from "./migrationFiles.js";
import { readMigrationStatus } from "./migrationStatus.js";
import { databaseOfClient, type SqlDatabase } from "./sqlSession.js";

const own = await readMigrations();
const versions = own.map(({ version }) => version);

const emptied =
  "drop schema public cascade; drop schema if exists auth cascade; create schema public";

/** Emptied: a prepared database is opened much faster than a new one is made. */
async function openEmptied(): Promise<Opened> {
  const opened = await openEmbedded();
  await opened.database.transaction((session) => session.runScript(emptied));
  return opened;
}

describe.each([
  ["PostgreSQL", openServer],
  ["PGlite", openEmptied],
])("migrating %s", (_name, open) => {
  let opened: Opened;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened.close());
  afterEach(() => opened.database.transaction((session) => session.runScript(emptied)));

  it("applies every file once, in order", async () => {
    expect((await migrate(opened.database)).map(({ version }) => version)).toEqual(versions);
    expect(await migrate(opened.database)).toEqual([]);
    const { applied, pending, problems } = await readMigrationStatus(opened.database, own);
    expect(applied.map(({ version, checksum }) => ({ version, checksum }))).toEqual(
      own.map(({ version, checksum }) => ({ version, checksum })),
    );
    expect(pending).toEqual([]);
    expect(problems).toEqual([]);
  });

  it("leaves nothing where a file fails, and starts again", async () => {
    const broken = planted(own.length + 1, "create table half (id int); select 1 / 0;");
    await expect(migrate(opened.database, { migrations: [...own, broken] })).rejects.toThrow(
      "division by zero",
    );
    const { applied } = await readMigrationStatus(opened.database, [...own, broken]);
    expect(applied).toEqual([]);
    expect(await tablesNamed(opened.database, "half")).toEqual([]);
    expect(await tablesNamed(opened.database, "cx_conversation")).toEqual([]);
    const mended = planted(own.length + 1, "create table half (id int);");
    expect((await migrate(opened.database, { migrations: [...own, mended] })).at(-1)).toEqual(
      mended,
    );
    expect(await tablesNamed(opened.database, "half")).toEqual([{ tablename: "half" }]);
  });

  it("refuses a file that was changed after it was applied", async () => {
    await migrate(opened.database);
    const changed = own.map((one) => (one.version === 2 ? { ...one, checksum: "other" } : one));
    await expect(migrate(opened.database, { migrations: changed })).rejects.toThrow(
      "0002_conversations.sql was changed after this database applied it as 0002_conversations.sql. Put it back as it was, and make the change in a new migration.",
    );
  });

  it("refuses a database that a newer program migrated", async () => {
    const newer = planted(own.length + 1, "select 1;");
    await migrate(opened.database, { migrations: [...own, newer] });
    await expect(migrate(opened.database)).rejects.toThrow("Update callboard.");
  });

  it("refuses tables of an older shape and says what to do", async () => {
    await opened.database.transaction((session) =>
      session.runScript("create table public.cx_conversation (id uuid)"),
    );
    await expect(migrate(opened.database)).rejects.toThrow("Run callboard db adopt");
  });
});

describe("several nodes that start at once", () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.drop());

  it("apply every file once between them", async () => {
    const clients = Array.from({ length: 8 }, () => new pg.Client({ connectionString: test.url }));
    await Promise.all(clients.map((client) => client.connect()));
    const applied = await Promise.all(clients.map((client) => migrate(databaseOfClient(client))));
    const counted = applied.flat().map(({ version }) => version);
    expect(counted.sort((one, other) => one - other)).toEqual(versions);
    await Promise.all(clients.map((client) => client.end()));
  });

  it("on databases of one server create its roles once between them", async () => {
    const databases = await Promise.all(Array.from({ length: 4 }, () => createTestDatabase()));
    const clients = databases.map(({ url }) => new pg.Client({ connectionString: url }));
    await Promise.all(clients.map((client) => client.connect()));
    const applied = await Promise.all(clients.map((client) => migrate(databaseOfClient(client))));
    expect(applied.map(({ length }) => length)).toEqual(databases.map(() => own.length));
    await Promise.all(clients.map((client) => client.end()));
    await Promise.all(databases.map((database) => database.drop()));
  });
});

function planted(version: number, script: string): Migration {
  return { version, name: "planted", script, checksum: script };
}

function tablesNamed(database: SqlDatabase, name: string) {
  return database.transaction((session) =>
    session.query("select tablename::text from pg_tables where tablename = $1", [name]),
  );
}
