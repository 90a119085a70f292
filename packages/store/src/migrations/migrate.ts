/**
 * Brings a database up to the schema of this package: numbered SQL files, all that are missing in one
 * transaction under a lock, so that any number of nodes may start at once and a failure leaves nothing. It
 * never goes back and never changes what was applied, nor anything that is not named `cx_*`.
 */
import { type Migration, readMigrations } from "./migrationFiles.js";
import { MigrationError, readMigrationStatus, statusIn, tableExists } from "./migrationStatus.js";
import { projectBinding } from "./projectPermission.js";
import type { SqlDatabase, SqlSession } from "./sqlSession.js";

export interface MigrateOptions {
  /** Default: the package's own. */
  readonly migrations?: readonly Migration[];
}

/** Gives the migrations that this call applied; those that another node applied meanwhile are not among them. */
export async function migrate(
  database: SqlDatabase,
  options: MigrateOptions = {},
): Promise<readonly Migration[]> {
  const migrations = options.migrations ?? (await readMigrations());
  const { pending, problems } = await readMigrationStatus(database, migrations);
  if (problems.length > 0) throw new MigrationError(problems.join("\n"));
  const isBound = await database.transaction(async (session) => !(await projectBinding(session)));
  if (pending.length === 0 && isBound) return [];
  return await database.transaction((session) => migrateIn(session, migrations));
}

/** The lock belongs to the transaction: a broken connection releases it, and poolers support it. */
export const takeLock = "select pg_advisory_xact_lock(hashtextextended('callboard.migrations', 0))";

/** The same inside a transaction that does more: adopting an older database. */
export async function migrateIn(
  session: SqlSession,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  await session.runScript("set local search_path to public");
  await session.query(takeLock);
  const { pending, problems } = await statusIn(session, migrations);
  if (problems.length > 0) throw new MigrationError(problems.join("\n"));
  if (!(await tableExists(session, "cx_migration"))) await session.runScript(migrationTable);
  for (const migration of pending) {
    await session.runScript(migration.script);
    await session.query(
      "insert into public.cx_migration (version, name, checksum) values ($1, $2, $3)",
      [migration.version, migration.name, migration.checksum],
    );
  }
  const binding = await projectBinding(session);
  if (binding) await session.runScript(binding);
  return pending;
}

/** Closed like every table, and open to the migrating role before the other roles exist. */
export const migrationTable = `create table public.cx_migration (
  version integer primary key,
  name text not null,
  checksum text not null,
  applied_at timestamptz not null default now()
);
alter table public.cx_migration enable row level security;
alter table public.cx_migration force row level security;
create policy migrator_writes on public.cx_migration to current_user using (true) with check (true);
`;
