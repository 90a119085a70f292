/**
 * The state of a run and the progress of its open calls, from rows and a few events: the cost does not grow with the
 * run. Deltas are omitted: a call that waits for an answer has all of its input.
 */
import type { RunEvent } from "@callboard/run-log";
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { isUuid } from "../ids.js";
import { asReader } from "./asReader.js";
import { eventOf } from "./eventText.js";
import type { RunOptions } from "./runs.js";

export interface RunOutline {
  readonly status: "open" | "closed";
  readonly lastSeq: number;
  /** How it ended; null while it runs. */
  readonly outcome: string | null;
  /** The start of the run, and for each open call its message's opening and its own events, in order. */
  readonly events: readonly RunEvent[];
}

/** Undefined if there is none that the reader may see. */
export async function readRunOutline(
  db: StoreDb,
  { as, runId }: RunOptions,
): Promise<RunOutline | undefined> {
  if (!isUuid(runId)) return undefined;
  return await asReader(db, as, async (reader) => {
    const head = await reader
      .selectFrom("cx_run as run")
      .innerJoin("cx_user_request as request", "request.id", "run.id")
      .select(["run.status", "run.last_seq as lastSeq", "request.finish_reason as outcome"])
      .where("run.id", "=", runId)
      .executeTakeFirst();
    if (!head) return undefined;
    if (head.status === "closed") return { ...head, events: [] };
    return { ...head, outcome: null, events: await openingsOf(reader, runId) };
  });
}

async function openingsOf(db: StoreDb, runId: string): Promise<readonly RunEvent[]> {
  const { rows } = await sql<{ seq: number; event: string }>`
    with open_event as (
      select event.seq, event.type, event.event
      from cx_tool_call as call
      join cx_run_event as event on event.run_id = call.request_id and event.call_id = call.call_id
      where call.request_id = ${runId} and call.status in ('pending', 'running')
    )
    select seq, event::text as event from open_event
    union
    select seq, event::text from cx_run_event where run_id = ${runId} and seq = 1
    union
    select message.seq, message.event::text
    from open_event as opening
    cross join lateral (
      select seq, event from cx_run_event
      where run_id = ${runId} and type = 'message.opened' and seq < opening.seq
        and substring(event::text from '"messageId":"([^"]*)"')
          = substring(opening.event::text from '"messageId":"([^"]*)"')
      order by seq desc limit 1
    ) as message
    where opening.type = 'call.opened'
    order by seq
  `.execute(db);
  return rows.map(({ seq, event }) => eventOf(event, `event ${seq} of run ${runId}`));
}
