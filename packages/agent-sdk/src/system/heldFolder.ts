/**
 * A folder held open while it is used. Between the check of a path and its use, another process could put a link in
 * place of a folder on the way. So the folder is opened first, the opened folder is compared with the checked one, and
 * names are looked up in the open folder, not by the path. That needs Linux's `/proc`; elsewhere the path itself is
 * used.
 */

import { constants, existsSync } from "node:fs";
import { type FileHandle, mkdir, open, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { isFileMissing, systemCodeOf } from "@callboard/run-log/values";
import { oneLine } from "../utils/oneLine.js";
import { ToolFailure } from "../utils/toolFailure.js";

const descriptors = "/proc/self/fd";
export const canHoldFolders = process.platform === "linux" && existsSync(descriptors);

/** Opens a place without the right to read it; Node has no name for it. */
const O_PATH = 0o10000000;
const folderFlags = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export interface HeldFolderOptions {
  /** The mode of missing folders that are created; without it none are. */
  readonly createMode?: number;
}

/**
 * `folder` is a real path, without links. `use` receives a function that returns the path of a name in it, and of the
 * folder itself for an empty name. Throws a ToolFailure of type `path_changed` if another folder is there.
 */
export async function withHeldFolder<Value>(
  folder: string,
  { createMode }: HeldFolderOptions,
  use: (place: (name: string) => string) => Promise<Value>,
): Promise<Value> {
  if (!canHoldFolders) {
    if (createMode !== undefined) await mkdir(folder, { recursive: true, mode: createMode });
    return use((name) => join(folder, name));
  }
  const handle = await heldFolder(folder, createMode);
  try {
    return await use((name) => `${descriptorPath(handle)}/${name}`);
  } finally {
    await handle.close();
  }
}

async function heldFolder(folder: string, createMode: number | undefined): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    handle = await open(folder, folderFlags);
  } catch (error) {
    if (createMode === undefined || !isFileMissing(error)) throw error;
    return createdFolder(folder, createMode);
  }
  const found = await readlink(descriptorPath(handle)).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  if (found === folder) return handle;
  await handle.close();
  throw new ToolFailure(
    "path_changed",
    `${oneLine(folder, 200)} was replaced while it was being opened.`,
    { suggestion: "Check what is there now and try again." },
  );
}

async function createdFolder(folder: string, mode: number): Promise<FileHandle> {
  const parent = await heldFolder(dirname(folder), mode);
  try {
    const place = `${descriptorPath(parent)}/${basename(folder)}`;
    await mkdir(place, { mode }).catch((error: unknown) => {
      if (systemCodeOf(error) !== "EEXIST") throw error;
    });
    return await open(place, folderFlags);
  } finally {
    await parent.close();
  }
}

function descriptorPath({ fd }: FileHandle): string {
  return `${descriptors}/${fd}`;
}
