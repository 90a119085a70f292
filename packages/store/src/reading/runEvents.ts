/**
 * The events of runs, read from the table in pages. What is stored is parsed like anything that comes
 * from outside: a log of an older version is lifted, a broken event is an error that names its place.
 */
import type { RunEvent } from "@callboard/run-log";
import type { StoreDb } from "../connections/database.js";
import { eventOf } from "./eventText.js";

export interface EventRange {
  readonly after: number;
  readonly limit?: number;
}

/** The stored text of each event, as it was appended. */
export async function readEventTexts(
  db: StoreDb,
  runId: string,
  { after, limit }: EventRange,
): Promise<readonly string[]> {
  const query = db
    .selectFrom("cx_run_event")
    .select("event")
    .where("run_id", "=", runId)
    .where("seq", ">", after)
    .orderBy("seq");
  const rows = await (limit === undefined ? query : query.limit(limit)).execute();
  return rows.map(({ event }) => event);
}

export async function readEvents(
  db: StoreDb,
  runId: string,
  range: EventRange,
): Promise<readonly RunEvent[]> {
  const texts = await readEventTexts(db, runId, range);
  const nameOf = (index: number): string => `event ${range.after + index + 1} of run ${runId}`;
  return texts.map((text, index) => eventOf(text, nameOf(index)));
}
