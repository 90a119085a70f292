/**
 * A session's file for whoever follows it without opening it: whole batches from a place on.
 * It takes no lock and changes nothing.
 */
import { awakenedLog, parseRestedLine, type RestedEvent, type RunEvent } from "@callboard/run-log";
import { systemCodeOf } from "../utils/systemCode.js";
import { isContinued } from "./batchLines.js";
import { openLogFile, sessionFolderOf } from "./sessionFolder.js";

export interface LogPage {
  readonly events: readonly RunEvent[];
  /** Where the next batch begins. */
  readonly offset: number;
}

const newline = 0x0a;
const pageBytes = 4 * 1024 ** 2;

/** A page of whole batches: empty before one that is not whole yet, and before a line that cannot be read. */
export async function readLogFrom(
  home: string,
  sessionId: string,
  after: number,
): Promise<LogPage> {
  const folder = sessionFolderOf(home, sessionId);
  const file = await openLogFile(folder, sessionId, "read").catch((error: unknown) => {
    if (systemCodeOf(error) === "ENOENT") return undefined;
    throw error;
  });
  if (!file) return { events: [], offset: after };
  try {
    const { size } = await file.stat();
    // A file that became shorter was put to rest: it is read again from its beginning.
    const offset = after > size ? 0 : after;
    for (let span = pageBytes; offset < size; span *= 2) {
      const buffer = Buffer.alloc(Math.min(span, size - offset));
      const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
      const page = batchesIn(buffer.subarray(0, bytesRead));
      const isAll = page.isBroken || offset + bytesRead >= size;
      if (page.length > 0 || isAll) return { events: page.events, offset: offset + page.length };
    }
    return { events: [], offset };
  } finally {
    await file.close();
  }
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
