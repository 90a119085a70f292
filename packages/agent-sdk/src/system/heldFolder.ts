/**
 * A folder held open while something is done in it. Between the check of a path and its use somebody
 * could put a link in place of a folder on the way. So the folder is opened first, what was really opened
 * is compared with what was checked, and names are looked up in the open folder, not by the path.
 * That needs Linux's `/proc`; elsewhere the path itself is used.
 */
import { constants, existsSync } from "node:fs";
import { type FileHandle, mkdir, open, readlink } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { oneLine } from "../utils/oneLine.js";
import { systemCodeOf } from "../utils/systemCode.js";
import { ToolFailure } from "../utils/toolFailure.js";

const descriptors = "/proc/self/fd";
export const canHoldFolders = process.platform === "linux" && existsSync(descriptors);

/** Opens a place without the right to read it; Node has no name for it. */
const O_PATH = 0o10000000;
const folderFlags = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

export interface HeldFolderOptions {
  /** The mode of folders that are created where they are missing; without it none are. */
  readonly createMode?: number;
}

/**
 * `folder` is a real path, free of links. `use` is given how a name in it is reached, and the folder
 * itself for an empty name. Throws a ToolFailure of type `path_changed` where another folder stands there.
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
    return await use((name) => `${placeOf(handle)}/${name}`);
  } finally {
    await handle.close();
  }
}

async function heldFolder(folder: string, createMode: number | undefined): Promise<FileHandle> {
  let handle: FileHandle;
  try {
    handle = await open(folder, folderFlags);
  } catch (error) {
    if (createMode === undefined || systemCodeOf(error) !== "ENOENT") throw error;
    return createdFolder(folder, createMode);
  }
  const found = await readlink(placeOf(handle)).catch(async (error: unknown) => {
    await handle.close();
    throw error;
  });
  if (found === folder) return handle;
  await handle.close();
  throw new ToolFailure(
    "path_changed",
    `${oneLine(folder, 200)} was replaced while it was being opened.`,
    { suggestion: "Look at what stands there now and try again." },
  );
}

async function createdFolder(folder: string, mode: number): Promise<FileHandle> {
  const parent = await heldFolder(dirname(folder), mode);
  try {
    const place = `${placeOf(parent)}/${basename(folder)}`;
    await mkdir(place, { mode }).catch((error: unknown) => {
      if (systemCodeOf(error) !== "EEXIST") throw error;
    });
    return await open(place, folderFlags);
  } finally {
    await parent.close();
  }
}

function placeOf({ fd }: FileHandle): string {
  return `${descriptors}/${fd}`;
}
