/**
 * Reads events back by the places of their lines: one read for neighbours. A run under way is read a page
 * at a time; one that has come to rest is small, and is read and awakened whole.
 */
import type { FileHandle } from "node:fs/promises";
import type { RunEvent, RunId } from "@callboard/run-log";
import { awakenedLog, parseRestedLine, type RestedEvent } from "@callboard/run-log/writing";
import type { LinePlace, LineStretch, LogFileName, LogIndex } from "./logIndex.js";

const pageBytes = 1024 * 1024;

export type LogFiles = Readonly<Record<LogFileName, FileHandle>>;

export interface LogReader {
  /**
   * The next events after a position, at most `limit` and, for a running run, at most about a megabyte of them, but at
   * least one if there is one.
   */
  page(
    runId: RunId,
    range: { readonly after: number; readonly limit: number },
  ): Promise<readonly RunEvent[]>;
  /** All lines of a run as they are kept. */
  lines(runId: RunId): Promise<readonly RestedEvent[]>;
}

export function createLogReader(files: LogFiles, index: LogIndex): LogReader {
  /** The run that was last awakened. */
  let awake: { readonly runId: RunId; readonly events: readonly RunEvent[] } | undefined;

  async function awakened(runId: RunId): Promise<readonly RunEvent[]> {
    if (awake?.runId !== runId || awake.events.length !== index.seqOf(runId)) {
      awake = { runId, events: awakenedLog(await lines(runId)) };
    }
    return awake.events;
  }

  async function lines(runId: RunId): Promise<readonly RestedEvent[]> {
    const found: RestedEvent[] = [];
    for (const { file, places } of index.linesAfter(runId, 0)) {
      for (let at = 0; at < places.length; ) {
        const page = firstPage(places.slice(at));
        found.push(...(await readLines(files[file], page, runId)));
        at += page.length;
      }
    }
    return found;
  }

  return {
    lines,
    async page(runId, { after, limit }) {
      const recent = index.recentAfter(runId, after);
      if (recent) return recent.slice(0, limit);
      if (!index.isRested(runId)) {
        const [stretch] = index.linesAfter(runId, after);
        const page = await readStretch(files, stretch, limit, runId).catch((error: unknown) => {
          if (!index.isRested(runId)) throw error;
        });
        // Lines that were put to rest during the read may have moved.
        if (page !== undefined && !index.isRested(runId)) return checkedEvents(page, runId, after);
      }
      return (await awakened(runId)).slice(after, after + limit);
    },
  };
}

async function readStretch(
  files: LogFiles,
  stretch: LineStretch | undefined,
  limit: number,
  runId: RunId,
): Promise<readonly RunEvent[]> {
  if (stretch === undefined) return [];
  const places = firstPage(stretch.places.slice(0, limit));
  return (await readLines(files[stretch.file], places, runId)).map(({ event }) => event);
}

function checkedEvents(
  events: readonly RunEvent[],
  runId: RunId,
  after: number,
): readonly RunEvent[] {
  const at = events.findIndex(({ seq }, index) => seq !== after + 1 + index);
  if (at === -1) return events;
  throw changedError(runId, `seq ${after + 1 + at}: another event is stored there`);
}

function changedError(runId: RunId, problem: string): Error {
  return new Error(`the log was changed while it was open: run ${runId}, ${problem}`);
}

/** The first lines that are at most a page together, one at least. */
function firstPage(places: readonly LinePlace[]): readonly LinePlace[] {
  const from = places[0]?.start ?? 0;
  const most = places.findIndex(({ start, length }) => start + length - from > pageBytes);
  return most === -1 ? places : places.slice(0, Math.max(1, most));
}

async function readLines(
  file: FileHandle,
  places: readonly LinePlace[],
  runId: RunId,
): Promise<readonly RestedEvent[]> {
  const [first] = places;
  const last = places.at(-1);
  if (!first || !last) return [];
  const bytes = Buffer.allocUnsafe(last.start + last.length - first.start);
  await readWhole(file, bytes, first.start);
  return places.map(({ start, length }) => {
    const from = start - first.start;
    const parsed = parseRestedLine(bytes.toString("utf8", from, from + length));
    if (parsed.status === "malformed") throw changedError(runId, parsed.problem);
    return parsed.rested;
  });
}

async function readWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  let done = 0;
  while (done < bytes.length) {
    const { bytesRead } = await file.read(bytes, done, bytes.length - done, position + done);
    if (bytesRead === 0) throw new Error("the log was cut while it was open");
    done += bytesRead;
  }
}
