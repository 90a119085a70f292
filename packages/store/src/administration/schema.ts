/** What `callboard db migrate`, `status` and `plan` do: migrate the schema of a database, show it, or print the statements beforehand. */
import { type ForeignContents, readForeignContents } from "../migrations/foreignContents.js";
import { migrate, migrationTable } from "../migrations/migrate.js";
import { fileNameOf, readMigrations } from "../migrations/migrationFiles.js";
import {
  type MigrationStatus,
  readMigrationStatus,
  tableExists,
} from "../migrations/migrationStatus.js";
import { plannedBinding, projectBinding } from "../migrations/projectPermission.js";
import type { SqlDatabase, SqlSession } from "../migrations/sqlSession.js";
import { connectDatabase } from "../openDatabase.js";
import type { StoreOptions, StorePlace } from "../storeOptions.js";

type Options = Pick<StoreOptions, "clock" | "logger">;

async function withScripts<Value>(
  place: StorePlace,
  options: Options,
  work: (scripts: SqlDatabase) => Promise<Value>,
): Promise<Value> {
  const database = await connectDatabase(place, options);
  try {
    return await database.withScripts(work);
  } finally {
    await database.close();
  }
}

/** The names of the migrations that were applied now; empty if the database was up to date. */
export async function migrateDatabase(
  place: StorePlace,
  options: Options,
): Promise<readonly string[]> {
  return (await withScripts(place, options, (scripts) => migrate(scripts))).map(fileNameOf);
}

/**
 * Adds the tables that pages may read to the publication of Supabase Realtime. Returns the names of those that were
 * added now; undefined if the database has no such publication.
 */
export async function publishTables(
  place: StorePlace,
  options: Options,
): Promise<readonly string[] | undefined> {
  return await withScripts(place, options, (scripts) => scripts.transaction(publishIn));
}

export async function publishIn(session: SqlSession): Promise<readonly string[] | undefined> {
  const [publication] = await session.query(
    "select puballtables from pg_publication where pubname = 'supabase_realtime'",
  );
  if (!publication) return undefined;
  if (publication.puballtables === true) return [];
  // Of a table without a primary key, updates would fail once it is published.
  const missing = await session.query(`
    select relname as name from pg_class as item
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname like 'cx\\_%'
      and has_table_privilege('authenticated', item.oid, 'select')
      and exists (select from pg_index where indrelid = item.oid and indisprimary)
      and not exists (
        select from pg_publication_tables
        where pubname = 'supabase_realtime' and schemaname = 'public' and tablename = relname
      )
    order by name
  `);
  const names = missing.map(({ name }) => String(name));
  if (names.length > 0) {
    const tables = names.map((name) => `public.${name}`).join(", ");
    await session.runScript(`alter publication supabase_realtime add table ${tables}`);
  }
  return names;
}

export async function databaseStatus(
  place: StorePlace,
  options: Options,
): Promise<MigrationStatus> {
  const migrations = await readMigrations();
  return await withScripts(place, options, (scripts) => readMigrationStatus(scripts, migrations));
}

export interface MigrationPlan {
  /** What a migration would run, in order and in one transaction. Empty if the database is up to date. */
  readonly steps: readonly { readonly name: string; readonly script: string }[];
  /** Why it would be refused. */
  readonly problems: readonly string[];
  /** What the database contains that is not Callboard's; none of it is touched. */
  readonly foreign: ForeignContents;
}

/** Everything that `migrateDatabase` would run now. It changes nothing. */
export async function planDatabase(place: StorePlace, options: Options): Promise<MigrationPlan> {
  return await withScripts(place, options, planIn);
}

export async function planIn(scripts: SqlDatabase): Promise<MigrationPlan> {
  const { pending, problems } = await readMigrationStatus(scripts, await readMigrations());
  return await scripts.transaction(async (session) => {
    const isNew = !(await tableExists(session, "cx_migration"));
    const binding = isNew ? await plannedBinding(session) : await projectBinding(session);
    return {
      steps: [
        ...(isNew ? [{ name: "cx_migration", script: migrationTable }] : []),
        ...pending.map((one) => ({ name: fileNameOf(one), script: one.script })),
        ...(binding === undefined
          ? []
          : [{ name: "has_permission of this database", script: binding }]),
      ],
      problems,
      foreign: await readForeignContents(session),
    };
  });
}
