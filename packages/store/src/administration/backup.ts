/**
 * An embedded database in one file, and back. Both take the folder's lock, so neither meets a running
 * process; a backup of a running store is its own `backup`. A server has `pg_dump` for that.
 */

import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Clock } from "@callboard/agent-sdk";
import { isFileMissing, messageOfError } from "@callboard/run-log/values";
import { openEmbeddedDatabase } from "../connections/embeddedDatabase.js";
import { unpackArchive } from "../folder/archive.js";
import { dataFolderOf, unfinishedIn } from "../folder/dataFolder.js";
import { lockFolder } from "../folder/folderLock.js";
import { migrate } from "../migrations/migrate.js";
import { openFolder } from "../openDatabase.js";

export interface BackupOptions {
  /** The folder of the store. */
  readonly folder: string;
  /** The backup: a gzipped archive of PostgreSQL's data folder. */
  readonly file: string;
  readonly clock: Clock;
}

/** Gives the size of the file. It is there whole or not at all; one that is there already is replaced. */
export async function backupFolder({ folder, file, clock }: BackupOptions): Promise<number> {
  const database = await openFolder(folder, { clock });
  try {
    return await writeBackup(await database.dump(), file);
  } finally {
    await database.close();
  }
}

export async function writeBackup(dump: Blob, file: string): Promise<number> {
  const unfinished = `${file}.${randomBytes(6).toString("hex")}`;
  await mkdir(dirname(file), { recursive: true });
  try {
    const handle = await open(unfinished, "wx", 0o600);
    try {
      await handle.writeFile(Buffer.from(await dump.arrayBuffer()));
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(unfinished, file);
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
  return dump.size;
}

export interface Restored {
  /** The path of the previous data; undefined if there was none. */
  readonly setAside: string | undefined;
}

/** Puts the backup in the folder's place. The previous data is set aside, never deleted. */
export async function restoreFolder({ folder, file, clock }: BackupOptions): Promise<Restored> {
  const backup = await readFile(file);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const lock = lockFolder(folder, clock.now());
  const unfinished = unfinishedIn(folder);
  try {
    await unpackArchive(backup, unfinished);
    const database = await openEmbeddedDatabase({ dataFolder: unfinished });
    try {
      await database.withScripts((scripts) => migrate(scripts));
    } finally {
      await database.close();
    }
    const mark = `${clock.now()}-${randomBytes(3).toString("hex")}`;
    const setAside = await moved(dataFolderOf(folder), join(folder, `before-${mark}`));
    await rename(unfinished, dataFolderOf(folder));
    return { setAside };
  } catch (error) {
    const why = messageOfError(error);
    throw new Error(`${file} could not be restored: ${why}. Nothing was changed`, { cause: error });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
    lock.release();
  }
}

async function moved(from: string, to: string): Promise<string | undefined> {
  try {
    await rename(from, to);
    return to;
  } catch (error) {
    if (isFileMissing(error)) return undefined;
    throw error;
  }
}
