/**
 * The whole output of a call as bytes: from its log, or from the file that its node keeps. The file is found by
 * the call's key in the folder of its conversation; a path that somebody wrote into a log is never opened.
 */
import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type Redactor, sessionOutputFolder } from "@callboard/agent-sdk";
import type { Representation } from "../http/byteRange.js";
import { HttpProblem } from "../http/problem.js";
import type { CallOutput } from "../stores/runStore.js";

export interface WholeOutput extends Representation {
  /** From `start` to `end`, the last byte included. */
  body(start: number, end: number): ReadableStream<Uint8Array> | Uint8Array<ArrayBuffer>;
}

/** More than this is not read at once to take its secrets out. */
const mostRedactedBytes = 16 * 1024 * 1024;
const plainKey = /^[\w-]{1,200}$/;

export async function wholeOutput(
  { conversationId, text, fileKey }: CallOutput,
  outputs: string,
  redactor: Redactor | undefined,
): Promise<WholeOutput> {
  if (fileKey === undefined) return ofText(redactor ? redactor.redactText(text) : text);
  const path = plainKey.test(fileKey)
    ? join(sessionOutputFolder(outputs, conversationId), `${fileKey}.txt`)
    : undefined;
  const file = path === undefined ? undefined : await fileAt(path);
  if (path === undefined || file === undefined) throw notHere();
  if (redactor === undefined) {
    return { ...file, body: (start, end) => webStream(createReadStream(path, { start, end })) };
  }
  if (file.size > mostRedactedBytes) throw tooLargeToRedact();
  const chunks = await createReadStream(path).toArray();
  return ofText(redactor.redactText(Buffer.concat(chunks).toString()));
}

function ofText(text: string): WholeOutput {
  const bytes = new TextEncoder().encode(text);
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, 22);
  return {
    size: bytes.length,
    etag: `"${hash}"`,
    body: (start, end) => bytes.slice(start, end + 1),
  };
}

/** Undefined where no plain file is there. */
async function fileAt(path: string): Promise<Representation | undefined> {
  try {
    const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const { size, mtimeMs } = await handle.stat();
      return { size, etag: `"${size.toString(36)}-${Math.round(mtimeMs).toString(36)}"` };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : undefined;
    if (code === "ENOENT" || code === "ELOOP" || code === "ENOTDIR") return undefined;
    throw error;
  }
}

function webStream(stream: Readable): ReadableStream<Uint8Array> {
  return Readable.toWeb(stream);
}

function notHere(): HttpProblem {
  const detail =
    "The whole output is not on this node: it was kept in a file of another one, or removed. The call's row has its head and tail.";
  return new HttpProblem(404, "output-not-here", detail);
}

function tooLargeToRedact(): HttpProblem {
  const detail =
    "An output of this size is shown to its owner alone. The call's row has its head and tail.";
  return new HttpProblem(403, "owner-only", detail);
}
