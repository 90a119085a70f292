/**
 * One fresh database for a test file, on the server of `DATABASE_URL` or on the run's own. Its owner is a role that is
 * not a superuser, so that row-level security applies to every connection.
 */
import { createHash, randomBytes } from "node:crypto";
import { systemClock } from "@callboard/agent-sdk";
import { migrateDatabase } from "@callboard/store";
import pg from "pg";
import { inject } from "vitest";
import { knock } from "./door.js";

export interface TestDatabase {
  /** As the role that owns the database and is no superuser. */
  readonly url: string;
  /** As the superuser of the server. */
  readonly adminUrl: string;
  /** Closes the connections that are still open. */
  drop(): Promise<void>;
}

/** Where tests find a server: `DATABASE_URL`, else one that is started for this run. */
export async function serverUrl(): Promise<string> {
  return process.env.DATABASE_URL ?? (await knock(inject("postgresDoor")));
}

export async function createTestDatabase(): Promise<TestDatabase> {
  return await createDatabaseOn(await serverUrl());
}

/**
 * A test database that has the tables already. On the run's own server it is a copy of a database that the first
 * caller migrates, because a copy is much cheaper than all migrations.
 */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  const server = await serverUrl();
  if (process.env.DATABASE_URL !== undefined) {
    // Someone else's server keeps its databases: a template would be left behind there.
    const database = await createDatabaseOn(server);
    await migrateDatabase({ url: database.url }, silent);
    return database;
  }
  templateReady ??= ensureTemplate(server);
  await templateReady;
  return await createDatabaseOn(server, template);
}

/** On a server that one has started oneself. */
export async function createDatabaseOn(
  server: string,
  copied = "template1",
): Promise<TestDatabase> {
  const name = `callboard_test_${randomBytes(6).toString("hex")}`;
  const password = createHash("sha256").update(server).digest("hex");
  await asAdmin(server, async (admin) => {
    await createOwner(admin, password);
    await admin.query(`create database ${name} owner ${owner} template ${copied}`);
  });
  const adminUrl = new URL(server);
  adminUrl.pathname = `/${name}`;
  const url = new URL(adminUrl);
  url.username = owner;
  url.password = password;
  return {
    url: url.href,
    adminUrl: adminUrl.href,
    drop: () => asAdmin(server, (admin) => admin.query(`drop database ${name} with (force)`)),
  };
}

const owner = "callboard_test_owner";
const template = "callboard_test_template";

const silent = {
  clock: systemClock,
  logger: {
    debug: () => undefined,
    info: () => undefined,
    warn: () => undefined,
    error: () => undefined,
  },
};

/** Of this worker: the server is the same for the whole run. */
let templateReady: Promise<void> | undefined;

/** The first worker to hold the lock migrates a database and names it the template. The others find it. */
async function ensureTemplate(server: string): Promise<void> {
  await asAdmin(server, async (admin) => {
    await admin.query("select pg_advisory_lock(7032)");
    const known = await admin.query("select from pg_database where datname = $1", [template]);
    if (known.rows.length > 0) return;
    const database = await createDatabaseOn(server);
    await migrateDatabase({ url: database.url }, silent);
    const name = new URL(database.url).pathname.slice(1);
    await admin.query(`alter database ${name} rename to ${template}`);
  });
}

/** Several files may do this at once, each in its own database: the lock is the server's `postgres`. */
async function createOwner(admin: pg.Client, password: string): Promise<void> {
  await admin.query(`
    begin;
    select pg_advisory_xact_lock(7031);
    do $$
    declare
      wanted text;
    begin
      if not exists (select from pg_roles where rolname = '${owner}') then
        create role ${owner} login createrole;
      end if;
      alter role ${owner} password '${password}';
      foreach wanted in array array['anon', 'authenticated', 'service_role'] loop
        if exists (select from pg_roles where rolname = wanted)
          and not pg_has_role('${owner}', wanted, 'usage') then
          execute format('grant %I to ${owner}', wanted);
        end if;
      end loop;
    end
    $$;
    commit;
  `);
}

async function asAdmin(
  server: string,
  work: (admin: pg.Client) => Promise<unknown>,
): Promise<void> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  try {
    await work(admin);
  } finally {
    await admin.end();
  }
}
