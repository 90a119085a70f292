/**
 * Asking the owner of a run, wherever it is, to cancel it. The wish is a column, so that it outlives a
 * missed notification: the owner finds it when it next renews its lease.
 */
import { sql } from "kysely";
import type { Database } from "../connections/database.js";
import { cancelPayload, newsChannel } from "../live/newsPayload.js";

/** Whether there was an open run to ask for. Asking twice is asking once. */
export async function askToCancel(database: Database, runId: string): Promise<boolean> {
  const { rows } = await sql`
    update cx_run set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp())
    where id = ${runId} and status = 'open' returning id
  `.execute(database.db);
  if (rows.length === 0) return false;
  if (database.kind === "server") {
    await sql`select pg_notify(${newsChannel}, ${cancelPayload(runId)})`.execute(database.db);
  }
  return true;
}
