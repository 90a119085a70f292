/** The applied migrations of a database, beside those of the package. It only reads. */
import { z } from "zod";
import { fileNameOf, type Migration } from "./migrationFiles.js";
import type { SqlDatabase, SqlSession } from "./sqlSession.js";

export interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
  readonly appliedAt: Date;
}

export interface MigrationStatus {
  readonly applied: readonly AppliedMigration[];
  readonly pending: readonly Migration[];
  /** Why this database must not be migrated, each with what to do. */
  readonly problems: readonly string[];
}

/** The program and the database disagree about what was applied. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

const appliedSchema = z.object({
  version: z.number(),
  name: z.string(),
  checksum: z.string(),
  applied_at: z.coerce.date(),
});

export async function readMigrationStatus(
  database: SqlDatabase,
  migrations: readonly Migration[],
): Promise<MigrationStatus> {
  return await database.transaction((session) => statusIn(session, migrations));
}

export async function statusIn(
  session: SqlSession,
  migrations: readonly Migration[],
): Promise<MigrationStatus> {
  const applied = await readApplied(session);
  const versions = new Set(applied.map(({ version }) => version));
  const pending = migrations.filter(({ version }) => !versions.has(version));
  const problems = applied.flatMap((one) => problemsOf(one, migrations));
  if (applied.length === 0 && (await tableExists(session, "cx_conversation"))) {
    problems.push(olderTables);
  } else {
    const taken = await takenNames(session, pending);
    if (taken.length > 0) problems.push(takenNamesProblem(taken));
  }
  return { applied, pending, problems };
}

const creation = /^\s*create (table|view|type|function|(?:unique )?index) (cx_\w+)/gm;

/** Names that pending migrations create and that other objects already have in the schema public. */
async function takenNames(
  session: SqlSession,
  pending: readonly Migration[],
): Promise<readonly string[]> {
  const made = pending.flatMap(({ script }) => [...script.matchAll(creation)]);
  const named = (isFunction: boolean): readonly string[] =>
    made.flatMap(([, kind, name = ""]) => ((kind === "function") === isFunction ? [name] : []));
  const rows = await session.query(
    `select relname::text as name from pg_class
     where relnamespace = 'public'::regnamespace and relname = any ($1::text[])
     union
     select typname::text from pg_type
     where typnamespace = 'public'::regnamespace and typname = any ($1::text[])
     union
     select proname::text from pg_proc
     where pronamespace = 'public'::regnamespace and proname = any ($2::text[])
     order by name`,
    [named(false), named(true)],
  );
  return rows.map(({ name }) => String(name));
}

function takenNamesProblem(names: readonly string[]): string {
  return `The schema public has ${names.join(", ")}, which this program did not create. Rename or move what has ${names.length === 1 ? "this name" : "these names"}, or use another database.`;
}

const olderTables =
  "The schema public has a table cx_conversation that this program did not create. Run callboard db adopt: it keeps the older tables aside and copies their rows.";

async function readApplied(session: SqlSession): Promise<readonly AppliedMigration[]> {
  if (!(await tableExists(session, "cx_migration"))) return [];
  const rows = await session.query(
    "select version, name, checksum, applied_at from public.cx_migration order by version",
  );
  return rows.map((row) => {
    const { applied_at: appliedAt, ...rest } = appliedSchema.parse(row);
    return { ...rest, appliedAt };
  });
}

/** Asks the catalogue's table: what another connection has just created is not in this one's cache. */
export async function tableExists(
  session: SqlSession,
  name: string,
  schema = "public",
): Promise<boolean> {
  const rows = await session.query(
    "select from pg_tables where schemaname = $1 and tablename = $2",
    [schema, name],
  );
  return rows.length > 0;
}

function problemsOf(applied: AppliedMigration, migrations: readonly Migration[]): string[] {
  const migration = migrations.find(({ version }) => version === applied.version);
  if (!migration) {
    return [
      `The database has ${fileNameOf(applied)}, which this version of callboard does not know. Update callboard.`,
    ];
  }
  if (migration.checksum === applied.checksum) return [];
  return [
    `${fileNameOf(migration)} was changed after this database applied it as ${fileNameOf(applied)}. Put it back as it was, and make the change in a new migration.`,
  ];
}
