/**
 * Files replaced as a whole: written beside their place, then renamed into it. A reader sees the old
 * or the new text, never a part. The mode stays, the owner where that is allowed.
 */
import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, type FileHandle, mkdir, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { systemCodeOf } from "../utils/systemCode.js";

export interface WriteOptions {
  /** What lies there now: its mode and owner are kept. */
  readonly old?: Stats | undefined;
  /** Nobody but the owner may read it, nor the folders that are created for it. */
  readonly isPrivate?: boolean;
}

/** Parents are created. */
export async function writeAtomically(
  path: string,
  text: string,
  { old, isPrivate = false }: WriteOptions = {},
): Promise<void> {
  // A rename does not ask whether the file itself may be written.
  if (old !== undefined) await access(path, constants.W_OK);
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: isPrivate ? 0o700 : 0o777 });
  const name = `.${basename(path).slice(0, 80)}.${randomBytes(6).toString("hex")}.tmp`;
  const temporary = join(folder, name);
  const handle = await open(temporary, "wx", old === undefined && !isPrivate ? 0o666 : 0o600);
  try {
    try {
      await handle.writeFile(text, "utf8");
      if (old !== undefined) await keepOwnerAndMode(handle, old);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, path);
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
