/**
 * Makes a log appendable. An incomplete last batch after a crash is removed: it was never reported as written. A broken
 * line in the middle is never removed, only moved aside on request.
 */

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { systemCodeOf } from "@callboard/run-log/values";
import type { Logger } from "../types/logger.js";
import type { ScannedFile } from "./logScan.js";
import { SessionBrokenError } from "./sessionErrors.js";
import { flushFolder } from "./sessionFolder.js";

export interface RepairOptions {
  readonly sessionId: string;
  readonly folder: string;
  readonly file: FileHandle;
  /** Its name in the folder. */
  readonly name: string;
  readonly scanned: ScannedFile;
  readonly isSalvaged: boolean;
  readonly logger: Logger;
}

/** Returns the size of the repaired file. */
export async function repairLog(options: RepairOptions): Promise<number> {
  const { sessionId, folder, file, name, scanned, logger } = options;
  const { end, broken, lacksNewline } = scanned;
  const { size } = await file.stat();
  if (broken) {
    if (!options.isSalvaged)
      throw new SessionBrokenError(sessionId, name, broken.line, broken.problem);
    const kept = await moveAside(file, folder, { name, from: end, size });
    const fields = { sessionId, line: broken.line, problem: broken.problem, file: kept };
    logger.warn("Moved the unreadable end of a session log to another file.", fields);
  }
  if (size > end) {
    if (!broken) {
      const fields = { sessionId, bytes: size - end };
      logger.warn(
        "Removed an incomplete write at the end of the session log, left by a crash.",
        fields,
      );
    }
    await file.truncate(end);
  }
  if (lacksNewline) await file.appendFile("\n");
  return lacksNewline ? end + 1 : end;
}

/** Copies before anything is cut, so that no moment has the bytes in neither place. */
async function moveAside(
  file: FileHandle,
  folder: string,
  {
    name: broken,
    from,
    size,
  }: { readonly name: string; readonly from: number; readonly size: number },
): Promise<string> {
  const { name, handle } = await newBrokenFile(folder, broken);
  try {
    const chunk = Buffer.allocUnsafe(1024 * 1024);
    for (let position = from; position < size; ) {
      const { bytesRead } = await file.read(chunk, 0, chunk.length, position);
      if (bytesRead === 0) break;
      await handle.writeFile(chunk.subarray(0, bytesRead));
      position += bytesRead;
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  await flushFolder(folder);
  return name;
}

async function newBrokenFile(
  folder: string,
  broken: string,
): Promise<{ name: string; handle: FileHandle }> {
  const { O_CREAT, O_EXCL, O_WRONLY, O_APPEND } = constants;
  for (let count = 1; ; count += 1) {
    const name = `${broken}.broken-${count}`;
    try {
      const flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND;
      return { name, handle: await open(join(folder, name), flags, 0o600) };
    } catch (error) {
      if (systemCodeOf(error) !== "EEXIST") throw error;
    }
  }
}
