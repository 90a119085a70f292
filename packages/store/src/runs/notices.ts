/**
 * Runs with pending webhooks: they wait for a person, or have ended. A claim is for one node and for a limited time; the
 * run's row has the position up to which notices were sent. It sends nothing itself.
 */
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";

/** A run that this node must report. */
export interface UntoldRun {
  readonly runId: string;
  readonly conversationId: string;
  readonly userId: string;
  readonly status: "open" | "closed";
  /** The event up to which it was reported before. */
  readonly toldSeq: number;
  readonly lastSeq: number;
  /** This one included. */
  readonly attempts: number;
  /** Names the claim: once it is another one's, what this node reports of it changes nothing but `toldSeq`. */
  readonly mark: string;
}

export interface Notices {
  /** At most `limit` runs, no other node's for `holdMs`. */
  claim(options: {
    readonly limit: number;
    readonly holdMs: number;
  }): Promise<readonly UntoldRun[]>;
  /** It was reported up to an event; the rest is tried in `againMs`, or nothing is left. */
  settle(
    run: UntoldRun,
    told: { readonly seq: number; readonly againMs: number | undefined },
  ): Promise<void>;
}

export function createNotices(db: StoreDb): Notices {
  return {
    async claim({ limit, holdMs }) {
      const { rows } = await sql<UntoldRun>`
        update cx_run as run set
          tell_at = clock_timestamp() + make_interval(secs => ${holdMs / 1_000}::float8),
          tell_attempts = run.tell_attempts + 1
        where id in (
          select id from cx_run where tell_at <= clock_timestamp()
          order by tell_at limit ${limit} for update skip locked
        )
        returning id as "runId", conversation_id as "conversationId", user_id as "userId", status,
          told_seq as "toldSeq", last_seq as "lastSeq", tell_attempts as attempts, tell_at::text as mark
      `.execute(db);
      return rows;
    },
    async settle({ runId, mark }, { seq, againMs }) {
      const secs = againMs === undefined ? null : againMs / 1_000;
      await sql`
        update cx_run set
          told_seq = greatest(told_seq, ${seq}),
          tell_at = case
            when tell_at = ${mark}::timestamptz then clock_timestamp() + make_interval(secs => ${secs}::float8)
            else tell_at
          end
        where id = ${runId}
      `.execute(db);
    },
  };
}
