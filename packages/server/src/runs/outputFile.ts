/** The file of one whole output on this node. Keys are untrusted: a file is never outside of its conversation's folder. */

import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { sessionOutputFolder } from "@callboard/agent-sdk/serving";
import { systemCodeOf } from "@callboard/run-log/values";

const plainKey = /^[\w-]{1,200}$/;

/** Undefined if this node would not have made the key. */
export function outputFilePath(
  outputs: string,
  conversationId: string,
  fileKey: string,
): string | undefined {
  if (!plainKey.test(fileKey)) return undefined;
  return join(sessionOutputFolder(outputs, conversationId), `${fileKey}.txt`);
}

/** For reading; undefined if there is nothing, or a link. */
export async function openOutputFile(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
  } catch (error) {
    const code = systemCodeOf(error);
    if (code === "ENOENT" || code === "ELOOP" || code === "ENOTDIR") return undefined;
    throw error;
  }
}
