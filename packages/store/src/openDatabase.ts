/**
 * The database of a store: opened, locked if it is a folder, and migrated to the schema of this package. A first start
 * loads a prepared data folder, since creating one takes seconds.
 */

import { mkdir } from "node:fs/promises";
import type { SessionLock } from "@callboard/agent-sdk/sessions";
import { withoutUndefined } from "@callboard/run-log/values";
import type { Database } from "./connections/database.js";
import { type EmbeddedDatabase, openEmbeddedDatabase } from "./connections/embeddedDatabase.js";
import { openServerDatabase } from "./connections/serverDatabase.js";
import { ForeignDatabaseError } from "./errors.js";
import { dataFolderOf, makeDataFolder } from "./folder/dataFolder.js";
import { lockFolder } from "./folder/folderLock.js";
import { preparedData } from "./folder/preparedData.js";
import { isAlone, readForeignContents } from "./migrations/foreignContents.js";
import { migrate } from "./migrations/migrate.js";
import { readMigrations } from "./migrations/migrationFiles.js";
import { MigrationError, readMigrationStatus } from "./migrations/migrationStatus.js";
import type { SqlDatabase } from "./migrations/sqlSession.js";
import {
  assertDatabaseUrl,
  connectionProblem,
  damageProblem,
  folderProblem,
} from "./openProblems.js";
import type { StoreOptions, StorePlace } from "./storeOptions.js";

type ConnectOptions = Pick<StoreOptions, "clock" | "logger" | "poolSize">;

export async function openDatabase(place: StorePlace, options: StoreOptions): Promise<Database> {
  const database = await connectDatabase(place, options);
  try {
    await bringUp(database, options.migrates ?? "alone");
    return database;
  } catch (error) {
    await database.close();
    throw "url" in place ? connectionProblem(place.url, error) : error;
  }
}

/** The database as it is, whatever its schema. */
export async function connectDatabase(
  place: StorePlace,
  options: ConnectOptions,
): Promise<Database> {
  const { logger, poolSize } = options;
  if ("url" in place) {
    assertDatabaseUrl(place.url);
    return openServerDatabase({
      url: place.url,
      ...withoutUndefined({ poolSize }),
      onIdleError: (error) =>
        logger.warn("An idle connection to the database was lost.", { error }),
    });
  }
  if ("memory" in place) return await openInMemory();
  return await openFolder(place.folder, options);
}

async function openInMemory(): Promise<Database> {
  const prepared = await preparedData();
  return await openEmbeddedDatabase(prepared ? { prepared: new Blob([prepared]) } : {});
}

export async function openFolder(
  folder: string,
  { clock }: Pick<StoreOptions, "clock">,
): Promise<EmbeddedDatabase> {
  const lock = await lockedFolder(folder, clock.now());
  try {
    await makeDataFolder(folder);
    const database = await openEmbeddedDatabase({ dataFolder: dataFolderOf(folder) }).catch(
      (error: unknown) => Promise.reject(damageProblem(folder, error)),
    );
    return {
      ...database,
      async close() {
        await database.close();
        lock.release();
      },
    };
  } catch (error) {
    lock.release();
    throw error;
  }
}

async function lockedFolder(folder: string, now: number): Promise<SessionLock> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return lockFolder(folder, now);
  } catch (error) {
    throw folderProblem(folder, error);
  }
}

async function bringUp(
  database: Database,
  migrates: NonNullable<StoreOptions["migrates"]>,
): Promise<void> {
  await database.withScripts(async (scripts) => {
    if (migrates !== true) await assertMigratable(scripts, migrates === "alone");
    if (migrates !== false) await migrate(scripts);
  });
}

/** Whether pending migrations may be applied without asking: only to a database that holds nothing else. */
async function assertMigratable(scripts: SqlDatabase, mayMigrate: boolean): Promise<void> {
  const { pending, problems } = await readMigrationStatus(scripts, await readMigrations());
  if (problems.length > 0) throw new MigrationError(problems.join("\n"));
  if (pending.length === 0) return;
  if (!mayMigrate) {
    throw new MigrationError(
      `the database lacks ${pending.length} migrations: run callboard db migrate`,
    );
  }
  const foreign = await scripts.transaction(readForeignContents);
  if (!isAlone(foreign)) throw new ForeignDatabaseError(foreign);
}
