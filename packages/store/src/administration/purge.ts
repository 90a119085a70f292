/**
 * Retention: the oldest conversations are deleted with everything in them, by age, by size, or both. In small
 * transactions, so that no other statement waits for it; any number of nodes may do it at once, and it may be stopped at
 * any point. A conversation with an open run is skipped.
 */
import { sql } from "kysely";
import type { Database, StoreDb } from "../connections/database.js";

export interface Retention {
  /** Conversations without a message for longer than this are deleted. */
  readonly maxAgeMs?: number;
  /** Of all logs together, as text; the conversations that moved longest ago go first. */
  readonly maxBytes?: number;
}

/** What will be deleted, or was deleted. */
export interface Purged {
  readonly conversations: number;
  readonly runs: number;
  readonly events: number;
  /** Of their logs, as text. */
  readonly bytes: number;
}

export interface PurgeOptions extends Retention {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Counts and deletes nothing. */
  readonly isDryRun?: boolean;
  /** Called after every step: the deleted conversations, for code that keeps files of them. */
  readonly onDeleted?: (conversationIds: readonly string[]) => void;
  /** Called after every step. `condemned` was counted at the start. */
  readonly onProgress?: (done: Purged, condemned: Purged) => void;
  readonly signal?: AbortSignal;
}

const stepConversations = 50;
const nothing: Purged = { conversations: 0, runs: 0, events: 0, bytes: 0 };

export async function purge(database: Database, options: PurgeOptions): Promise<Purged> {
  const { db } = database;
  const limits = await limitsOf(db, options);
  const condemned = await countCondemned(db, limits);
  if (options.isDryRun || condemned.conversations === 0) return condemned;
  let done = nothing;
  while (!options.signal?.aborted) {
    const { ids, ...step } = await purgeStep(db, limits);
    if (step.conversations === 0) break;
    done = sumOf(done, step);
    options.onDeleted?.(ids);
    options.onProgress?.(done, condemned);
  }
  // A server vacuums by itself; an embedded database must be vacuumed here.
  if (database.kind === "embedded") await sql`vacuum`.execute(db);
  return done;
}

/** Everything that moved before `before`, and everything up to and including `last`. */
interface Limits {
  readonly before: Date | null;
  readonly last: { readonly updatedAt: Date; readonly id: string } | undefined;
}

async function limitsOf(db: StoreDb, { now, maxAgeMs, maxBytes }: PurgeOptions): Promise<Limits> {
  return {
    before: maxAgeMs === undefined ? null : new Date(now - maxAgeMs),
    last: maxBytes === undefined ? undefined : await lastOverSize(db, maxBytes),
  };
}

/** The newest conversation that has to go so that the rest fits. */
async function lastOverSize(db: StoreDb, maxBytes: number): Promise<Limits["last"]> {
  const { rows } = await sql<{ id: string; updatedAt: Date }>`
    with sized as (
      select conversation.id, conversation.updated_at, coalesce(sum(run.stored_bytes), 0) as bytes
      from cx_conversation as conversation
      left join cx_run as run on run.conversation_id = conversation.id
      group by conversation.id
    ), newer as (
      select id, updated_at, sum(bytes) over (order by updated_at desc, id desc) as kept from sized
    )
    select id, updated_at as "updatedAt" from newer
    where kept > ${maxBytes}
    order by updated_at desc, id desc limit 1
  `.execute(db);
  return rows[0];
}

function isCondemned({ before, last }: Limits) {
  const isOld = before === null ? sql`false` : sql`conversation.updated_at < ${before}`;
  const isOver =
    last === undefined
      ? sql`false`
      : sql`(conversation.updated_at, conversation.id) <= (${last.updatedAt}::timestamptz, ${last.id}::uuid)`;
  return sql<boolean>`(${isOld} or ${isOver}) and not exists (
    select from cx_run as open where open.conversation_id = conversation.id and open.status = 'open'
  )`;
}

async function countCondemned(db: StoreDb, limits: Limits): Promise<Purged> {
  const { rows } = await sql<Purged>`
    select count(distinct conversation.id) as conversations, count(run.id) as runs,
      coalesce(sum(run.last_seq), 0)::bigint as events, coalesce(sum(run.stored_bytes), 0)::bigint as bytes
    from cx_conversation as conversation left join cx_run as run on run.conversation_id = conversation.id
    where ${isCondemned(limits)}
  `.execute(db);
  return rows[0] ?? nothing;
}

async function purgeStep(
  db: StoreDb,
  limits: Limits,
): Promise<Purged & { readonly ids: readonly string[] }> {
  return await db.transaction().execute(async (transaction) => {
    const { rows: chosen } = await sql<{ id: string }>`
      select id from cx_conversation as conversation
      where ${isCondemned(limits)}
      order by updated_at, id limit ${stepConversations}
      for update skip locked
    `.execute(transaction);
    if (chosen.length === 0) return { ...nothing, ids: [] };
    const ids = chosen.map(({ id }) => id);
    const { rows } = await sql<Omit<Purged, "conversations">>`
      select count(*) as runs, coalesce(sum(last_seq), 0)::bigint as events,
        coalesce(sum(stored_bytes), 0)::bigint as bytes
      from cx_run where conversation_id = any (${ids}::uuid[])
    `.execute(transaction);
    await transaction.deleteFrom("cx_conversation").where("id", "in", ids).execute();
    return { ...nothing, ...rows[0], conversations: ids.length, ids };
  });
}

function sumOf(one: Purged, other: Purged): Purged {
  return {
    conversations: one.conversations + other.conversations,
    runs: one.runs + other.runs,
    events: one.events + other.events,
    bytes: one.bytes + other.bytes,
  };
}
