/**
 * The events of runs, read from the tables in pages. A run at rest has no deltas in them: they are restored from the
 * closings of their parts, so that no reader sees a difference. Stored events are parsed like any external input: a log
 * of an older version is converted, a broken event is an error that names its position.
 */
import type { RunEvent } from "@callboard/run-log";
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { deltasIn } from "../writing/storedRhythm.js";
import { eventOf } from "./eventText.js";

export interface EventRange {
  readonly after: number;
  readonly limit?: number;
}

/** The stored text of each event, as it was appended. */
export async function readEventTexts(
  db: StoreDb,
  runId: string,
  range: EventRange,
): Promise<readonly string[]> {
  const log = await readLog(db, runId, range);
  return log.map((item) => (typeof item === "string" ? item : JSON.stringify(item)));
}

export async function readEvents(
  db: StoreDb,
  runId: string,
  range: EventRange,
): Promise<readonly RunEvent[]> {
  const log = await readLog(db, runId, range);
  return log.map((item, index) =>
    typeof item === "string"
      ? eventOf(item, eventPositionOf(range.after + index + 1, runId))
      : item,
  );
}

function eventPositionOf(seq: number, runId: string): string {
  return `event ${seq} of run ${runId}`;
}

interface StoredEvent {
  readonly seq: number;
  readonly event: string;
}

interface StoredClosing extends StoredEvent {
  readonly rhythm: string;
}

/** Events as their text, or as they were made again. */
async function readLog(
  db: StoreDb,
  runId: string,
  { after, limit }: EventRange,
): Promise<readonly (string | RunEvent)[]> {
  const { rows } = await sql<StoredEvent>`
    select seq, event from cx_run_event where run_id = ${runId} and seq > ${after}
    union all
    select seq, event from cx_run_delta where run_id = ${runId} and seq > ${after}
    order by seq limit ${limit ?? null}
  `.execute(db);
  if (rows.every(({ seq }, index) => seq === after + 1 + index)) {
    return rows.map(({ event }) => event);
  }
  // A gap shows that the run is at rest, and what is at rest stays until the run is deleted.
  const upTo = Math.min(after + (limit ?? Number.POSITIVE_INFINITY), rows.at(-1)?.seq ?? after);
  const log = new Map<number, string | RunEvent>();
  for (const closing of await closingsOver(db, runId, after, upTo)) {
    const place = eventPositionOf(closing.seq, runId);
    for (const delta of deltasIn(closing, { after, upTo }, place)) log.set(delta.seq, delta);
  }
  for (const { seq, event } of rows) log.set(seq, event);
  // Deleted between the two reads: there is nothing left to read.
  if (log.size < upTo - after && !(await isThere(db, runId))) return [];
  return Array.from({ length: upTo - after }, (_, index) => {
    const item = log.get(after + 1 + index);
    if (item === undefined)
      throw new Error(`${eventPositionOf(after + 1 + index, runId)} is missing`);
    return item;
  });
}

async function isThere(db: StoreDb, runId: string): Promise<boolean> {
  const { rows } = await sql`select from cx_run where id = ${runId}`.execute(db);
  return rows.length > 0;
}

/** The closings that represent deltas of a range. */
async function closingsOver(
  db: StoreDb,
  runId: string,
  after: number,
  upTo: number,
): Promise<readonly StoredClosing[]> {
  const { rows } = await sql<StoredClosing>`
    select seq, event, rhythm from cx_run_event
    where run_id = ${runId} and seq > ${after} and first_delta <= ${upTo}
  `.execute(db);
  return rows;
}
