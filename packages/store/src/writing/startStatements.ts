/**
 * The beginning of a run as SQL: its conversation where that is new, and its own row, under the lock of
 * the conversation's. Two nodes that begin a run in one conversation at once do not both succeed.
 */
import { sql } from "kysely";
import type { StoreDb, StoreTransaction } from "../connections/database.js";
import { FencedError, SessionMovedError, SessionUnknownError } from "../errors.js";
import type { NewsPayloads } from "../live/newsPayload.js";
import { closingIn, type RunBatch, type RunStart } from "./runBatch.js";
import { storedText } from "./storedText.js";

export interface Ownership {
  readonly owner: string;
  readonly leaseMs: number;
  /** How other nodes are told that runs moved. Absent where there are none. */
  readonly news?: NewsPayloads | undefined;
}

export async function beginRun(
  db: StoreTransaction,
  ownership: Ownership,
  batch: RunBatch,
  start: RunStart,
): Promise<void> {
  const { conversationId, userId, model, runsBefore } = start;
  const at = new Date(batch.events[0]?.at ?? 0);
  await sql`
    insert into cx_conversation (id, user_id, last_model_id, created_at, updated_at)
    values (${conversationId}, ${userId}, ${storedText(model)}, ${at}, ${at})
    on conflict (id) do nothing
  `.execute(db);
  const { rows } = await sql<{ deleted: boolean; runs: number }>`
    select deleted_at is not null as deleted,
      (select count(*) from cx_run where conversation_id = conversation.id) as runs
    from cx_conversation as conversation where id = ${conversationId} for update
  `.execute(db);
  const [conversation] = rows;
  if (!conversation || conversation.deleted) throw new SessionUnknownError(conversationId);
  if (conversation.runs !== runsBefore) throw new SessionMovedError(conversationId);
  const { rows: made } = await sql`
    insert into cx_run (id, conversation_id, user_id, owner, epoch, lease_until, is_resumable, is_told, created_at)
    values (
      ${batch.runId}, ${conversationId}, ${userId}, ${ownership.owner}, ${batch.epoch},
      ${leaseEnd(ownership.leaseMs)}, ${start.isResumable}, ${start.isTold}, clock_timestamp()
    )
    on conflict (id) do nothing returning id
  `.execute(db);
  if (made.length === 0) throw new FencedError(batch.runId, "another node began it");
  const [started] = batch.events;
  if (started?.type === "run.started" && started.replaces !== undefined) {
    await hideReplaced(db, conversationId, started.replaces, at);
  }
}

/** The messages of a run that another one takes the place of, and all after them. Its calls stay: they were made. */
async function hideReplaced(
  db: StoreTransaction,
  conversationId: string,
  runId: string,
  at: Date,
): Promise<void> {
  await sql`
    update cx_message set deleted_at = ${at}, status = 'edited'
    where conversation_id = ${conversationId} and deleted_at is null and position >= (
      select min(position) from cx_message
      where conversation_id = ${conversationId} and metadata ->> 'run_id' = ${runId}
    )
  `.execute(db);
}

/** By the database's own clock, so that nodes need not agree on the time. */
export function leaseEnd(leaseMs: number) {
  return sql`clock_timestamp() + make_interval(secs => ${leaseMs / 1000}::float8)`;
}

/** What a conversation shows of its runs: its name, its model and when it last moved. */
export async function touchConversations(db: StoreDb, batches: readonly RunBatch[]): Promise<void> {
  const moved = batches.filter(
    (batch) => batch.start !== undefined || batch.title !== undefined || closingIn(batch),
  );
  if (moved.length === 0) return;
  await sql`
    update cx_conversation as conversation set
      title = coalesce(conversation.title, news.title),
      last_model_id = coalesce(news.model, conversation.last_model_id),
      updated_at = greatest(conversation.updated_at, to_timestamp(news.at / 1000))
    from unnest(
      ${moved.map(({ conversationId }) => conversationId)}::uuid[],
      ${moved.map(({ title }) => textOrNull(title))}::text[],
      ${moved.map(({ start }) => textOrNull(start?.model))}::text[],
      ${moved.map(({ events }) => events.at(-1)?.at ?? 0)}::float8[]
    ) as news (id, title, model, at)
    where conversation.id = news.id
  `.execute(db);
}

function textOrNull(text: string | undefined): string | null {
  return text === undefined ? null : storedText(text);
}
