/** Makes the prepared data folder: a fresh database with every migration, packed. For the build. */
import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { sql } from "kysely";
import { type EmbeddedDatabase, openEmbeddedDatabase } from "../connections/embeddedDatabase.js";
import { migrate } from "../migrations/migrate.js";
import { preparedData, preparedFile } from "./preparedData.js";

export interface PreparedFile {
  readonly path: string;
  readonly bytes: number;
  /** False if it already existed. */
  readonly isNew: boolean;
}

/** Any number of processes may do it at once: the file appears whole, and the last one stays. */
export async function prepareData(): Promise<PreparedFile> {
  const path = await preparedFile();
  const known = await preparedData();
  if (known) return { path, bytes: known.length, isNew: false };
  const database = await openEmbeddedDatabase({});
  try {
    await database.withScripts((scripts) => migrate(scripts));
    await dropTemplates(database);
    const dump = await database.dump();
    const unfinished = `${path}.${process.pid}`;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(unfinished, dump.stream());
    await rename(unfinished, path);
  } finally {
    await database.close();
  }
  await removeOlder(path);
  return { path, bytes: (await stat(path)).size, isNew: true };
}

/**
 * Nobody makes a second database in this one. Without its templates it has less than half as many files, so it is
 * opened in half the time and takes less than half the space.
 */
async function dropTemplates({ db }: EmbeddedDatabase): Promise<void> {
  await sql`update pg_database set datistemplate = false`.execute(db);
  await sql`drop database template0`.execute(db);
  await sql`drop database template1`.execute(db);
  await sql`checkpoint`.execute(db);
}

async function removeOlder(path: string): Promise<void> {
  for (const name of await readdir(dirname(path))) {
    if (/^prepared-[0-9a-f]{16}\.tar\.gz$/.test(name) && name !== basename(path)) {
      await rm(join(dirname(path), name));
    }
  }
}
