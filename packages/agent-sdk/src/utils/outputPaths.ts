/** Where the whole outputs of calls are in a home: one folder for each session, one file for each call. It reads no disk. */
import { createHash } from "node:crypto";
import { join } from "node:path";

/** The folder of all whole outputs in a home. */
export function outputsRoot(home: string): string {
  return join(home, "outputs");
}

const plainSessionId = /^[\w-]{1,100}$/;

/**
 * The folder of one session's outputs. Agents of other sessions do not read it, and deleting the session
 * deletes it.
 */
export function sessionOutputFolder(outputs: string, sessionId: string): string {
  return join(outputs, plainSessionId.test(sessionId) ? sessionId : outputFileName(sessionId));
}

/** A name that stays in its folder, whatever the key: the readable part of it and its hash. */
export function outputFileName(key: string): string {
  const readable = key.replaceAll(/[^A-Za-z0-9_-]+/g, "-").slice(0, 60);
  const hash = createHash("sha256").update(key).digest("hex").slice(0, 16);
  return `${readable === "" ? "output" : readable}-${hash}`;
}
