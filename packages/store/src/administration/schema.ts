/** What `callboard db migrate` and `callboard db status` do: the schema of a database, looked at or brought up. */

import { migrate } from "../migrations/migrate.js";
import { fileNameOf, readMigrations } from "../migrations/migrationFiles.js";
import { type MigrationStatus, readMigrationStatus } from "../migrations/migrationStatus.js";
import { connectDatabase } from "../openDatabase.js";
import type { StoreOptions, StorePlace } from "../storeOptions.js";

type Options = Pick<StoreOptions, "clock" | "logger">;

/** The names of the migrations that were applied now; none where the database was up to date. */
export async function migrateDatabase(
  place: StorePlace,
  options: Options,
): Promise<readonly string[]> {
  const database = await connectDatabase(place, options);
  try {
    return (await database.withScripts((scripts) => migrate(scripts))).map(fileNameOf);
  } finally {
    await database.close();
  }
}

export async function databaseStatus(
  place: StorePlace,
  options: Options,
): Promise<MigrationStatus> {
  const database = await connectDatabase(place, options);
  try {
    const migrations = await readMigrations();
    return await database.withScripts((scripts) => readMigrationStatus(scripts, migrations));
  } finally {
    await database.close();
  }
}
