/** Follows a session's file without opening the session: whole batches from a position on. It takes no lock and changes nothing. */

import type { FileHandle } from "node:fs/promises";
import type { RunEvent } from "@callboard/run-log";
import { isFileMissing } from "@callboard/run-log/values";
import { awakenedLog, parseRestedLine, type RestedEvent } from "@callboard/run-log/writing";
import { isContinued } from "./batchLines.js";
import { logName, openLogFile, sessionFolderOf, tailName } from "./sessionFolder.js";

export interface LogPage {
  readonly events: readonly RunEvent[];
  /** The position of the next batch. */
  readonly offset: number;
}

/** A page of the tail, whose file is emptied when its runs have come to rest. */
export interface TailPage extends LogPage {
  /** The start of the file when it was read: another start means that it was emptied meanwhile. */
  readonly head: string;
}

const newline = 0x0a;
const pageBytes = 4 * 1024 ** 2;
const headBytes = 200;

/** A page of whole batches: empty before one that is not whole yet, and before a line that cannot be read. */
export async function readLogFrom(
  home: string,
  sessionId: string,
  after: number,
): Promise<LogPage> {
  const none = { events: [], offset: after };
  return await reading(home, sessionId, logName, none, async (file) => {
    const { size } = await file.stat();
    // A file that became shorter was put to rest: it is read again from its start.
    return await pageOf(file, after > size ? 0 : after, size);
  });
}

/** The same of the runs under way. A run that came to rest is in the log, and here no more. */
export async function readTailFrom(
  home: string,
  sessionId: string,
  after: Pick<TailPage, "offset" | "head">,
): Promise<TailPage> {
  const none = { events: [], offset: 0, head: "" };
  return await reading(home, sessionId, tailName, none, async (file) => {
    const { size } = await file.stat();
    const buffer = Buffer.alloc(Math.min(headBytes, size));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    const head = buffer.toString("latin1", 0, bytesRead);
    const isSame = after.head !== "" && head.startsWith(after.head) && after.offset <= size;
    return { ...(await pageOf(file, isSame ? after.offset : 0, size)), head };
  });
}

async function reading<Page>(
  home: string,
  sessionId: string,
  name: typeof logName | typeof tailName,
  none: Page,
  work: (file: FileHandle) => Promise<Page>,
): Promise<Page> {
  const folder = sessionFolderOf(home, sessionId);
  const file = await openLogFile(folder, sessionId, "read", name).catch((error: unknown) => {
    if (isFileMissing(error)) return undefined;
    throw error;
  });
  if (!file) return none;
  try {
    return await work(file);
  } finally {
    await file.close();
  }
}

/** `size`: the length of the file at the last check. It may have been emptied since. */
export async function pageOf(
  file: Pick<FileHandle, "read">,
  offset: number,
  size: number,
): Promise<LogPage> {
  for (let span = pageBytes; offset < size; span *= 2) {
    const buffer = Buffer.alloc(Math.min(span, size - offset));
    const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
    const page = batchesIn(buffer.subarray(0, bytesRead));
    const isAll = page.isBroken || bytesRead < buffer.length || offset + bytesRead >= size;
    if (page.length > 0 || isAll) return { events: page.events, offset: offset + page.length };
  }
  return { events: [], offset };
}

function batchesIn(bytes: Buffer): {
  readonly events: readonly RunEvent[];
  readonly length: number;
  readonly isBroken: boolean;
} {
  const events: RunEvent[] = [];
  let batch: RestedEvent[] = [];
  let length = 0;
  for (let from = 0; ; ) {
    const end = bytes.indexOf(newline, from);
    if (end === -1) return { events, length, isBroken: false };
    const line = bytes.subarray(from, end);
    from = end + 1;
    if (line.length > 0) {
      const parsed = parseRestedLine(line.toString("utf8"));
      if (parsed.status === "malformed") return { events, length, isBroken: true };
      batch.push(parsed.rested);
    }
    if (line.length > 0 && isContinued(line)) continue;
    // A run at rest is one batch.
    for (const event of awakenedLog(batch)) events.push(event);
    batch = [];
    length = from;
  }
}
