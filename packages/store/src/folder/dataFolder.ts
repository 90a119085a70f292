/**
 * The data folder of an embedded database, inside the folder of the store and beside its lock. It appears
 * whole, by one renaming: a process that is killed while it makes one leaves nothing that looks like it.
 */
import { randomBytes } from "node:crypto";
import { readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { isFileMissing } from "@callboard/run-log/values";
import { openEmbeddedDatabase } from "../connections/embeddedDatabase.js";
import { unpackArchive } from "./archive.js";
import { preparedData } from "./preparedData.js";

/** PostgreSQL wants it to itself. */
export function dataFolderOf(folder: string): string {
  return join(folder, "data");
}

const unfinishedPrefix = "unfinished-";

/** Whoever calls it holds the folder's lock. */
export async function makeDataFolder(folder: string): Promise<void> {
  if (await exists(dataFolderOf(folder))) return;
  await sweep(folder);
  const unfinished = unfinishedIn(folder);
  const prepared = await preparedData();
  if (prepared) await unpackArchive(prepared, unfinished);
  else await (await openEmbeddedDatabase({ dataFolder: unfinished })).close();
  await rename(unfinished, dataFolderOf(folder));
}

/** A place for a data folder that is not whole yet. */
export function unfinishedIn(folder: string): string {
  return join(folder, `${unfinishedPrefix}${randomBytes(6).toString("hex")}`);
}

/** Clears what killed processes left. */
async function sweep(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(unfinishedPrefix)) await rm(join(folder, name), { recursive: true });
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isFileMissing(error)) return false;
    throw error;
  }
}
