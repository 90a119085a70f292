/**
 * Asking the owner of a run, wherever it is, to cancel it. The wish is a column, so that it outlives a
 * missed notification: the owner finds it when it next renews its lease.
 */
import { sql } from "kysely";
import type { Database } from "../connections/database.js";
import { type NotificationPayloads, notificationChannel } from "../live/notificationPayload.js";

/** Whether there was an open run. A second request has no further effect. */
export async function askToCancel(
  { db }: Pick<Database, "db">,
  news: NotificationPayloads | undefined,
  runId: string,
): Promise<boolean> {
  const { rows } = await sql`
    update cx_run set cancel_requested_at = coalesce(cancel_requested_at, clock_timestamp())
    where id = ${runId} and status = 'open' returning id
  `.execute(db);
  if (rows.length === 0) return false;
  if (news) await sql`select pg_notify(${notificationChannel}, ${news.cancel(runId)})`.execute(db);
  return true;
}
