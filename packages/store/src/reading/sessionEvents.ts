/**
 * The events of a whole session, many runs to a page: opening a conversation must not need a query for each of its runs.
 * Deltas of ended runs are omitted: their closings contain the same.
 */
import type { RunEvent, RunId } from "@callboard/run-log";
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { eventOf } from "./eventText.js";

interface ReadRun {
  readonly lastSeq: number;
  readonly isClosed: boolean;
}

/** Counted with their deltas; a longer run is a page of its own. */
const mostEvents = 20_000;

export async function* readSession(
  db: StoreDb,
  runs: ReadonlyMap<RunId, ReadRun>,
): AsyncGenerator<readonly RunEvent[]> {
  for (const page of pagesOf(runs)) yield await readPage(db, page);
}

type Page = readonly (readonly [RunId, ReadRun])[];

function pagesOf(runs: ReadonlyMap<RunId, ReadRun>): readonly Page[] {
  const pages: [RunId, ReadRun][][] = [];
  let count = Number.POSITIVE_INFINITY;
  for (const [runId, run] of runs) {
    count += run.lastSeq;
    if (count > mostEvents) {
      pages.push([]);
      count = run.lastSeq;
    }
    pages.at(-1)?.push([runId, run]);
  }
  return pages;
}

async function readPage(db: StoreDb, page: Page): Promise<readonly RunEvent[]> {
  const ids = page.map(([runId]) => String(runId));
  const open = page.filter(([, { isClosed }]) => !isClosed).map(([runId]) => String(runId));
  const { rows } = await sql<{ run_id: string; seq: number; event: string }>`
    select run_id, seq, event from cx_run_event where run_id = any(${ids}::uuid[])
    union all
    select run_id, seq, event from cx_run_delta where run_id = any(${open}::uuid[])
    order by run_id, seq
  `.execute(db);
  const byRun = new Map<string, RunEvent[]>(ids.map((id) => [id, []]));
  for (const { run_id, seq, event } of rows) {
    byRun.get(run_id)?.push(eventOf(event, `event ${seq} of run ${run_id}`));
  }
  return [...byRun.values()].flat();
}
