/**
 * Files replaced as a whole: written beside their place, then renamed into it. A reader sees the old or the new text,
 * never a part. The mode stays, and the owner if that is permitted.
 */

import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, type FileHandle, open, rename, rm } from "node:fs/promises";
import { basename, dirname } from "node:path";
import { systemCodeOf } from "@callboard/run-log/values";
import { withHeldFolder } from "./heldFolder.js";

export interface WriteOptions {
  /** The current file: its mode and owner are kept. */
  readonly old?: Stats | undefined;
  /** Nobody but the owner may read it, nor the folders that are created for it. */
  readonly isPrivate?: boolean;
}

/** `path` is a real one, free of links. Parents are created. */
export function writeAtomically(
  path: string,
  text: string,
  options: WriteOptions = {},
): Promise<void> {
  const createMode = options.isPrivate ? 0o700 : 0o777;
  return withHeldFolder(dirname(path), { createMode }, (place) =>
    writeInFolder(place, basename(path), text, options),
  );
}

async function writeInFolder(
  place: (name: string) => string,
  name: string,
  text: string,
  { old, isPrivate = false }: WriteOptions,
): Promise<void> {
  // A rename does not check whether the file itself is writable.
  if (old !== undefined) await access(place(name), constants.W_OK);
  const temporary = place(`.${name.slice(0, 80)}.${randomBytes(6).toString("hex")}.tmp`);
  const handle = await open(temporary, "wx", old === undefined && !isPrivate ? 0o666 : 0o600);
  try {
    try {
      await handle.writeFile(text, "utf8");
      if (old !== undefined) await keepOwnerAndMode(handle, old);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, place(name));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function keepOwnerAndMode(handle: FileHandle, old: Stats): Promise<void> {
  const { uid, gid } = await handle.stat();
  if (uid !== old.uid || gid !== old.gid) {
    try {
      await handle.chown(old.uid, old.gid);
    } catch (error) {
      // Only root may give a file away; a file of our own with the same mode is what is left.
      if (systemCodeOf(error) !== "EPERM") throw error;
    }
  }
  await handle.chmod(old.mode & 0o777);
}
