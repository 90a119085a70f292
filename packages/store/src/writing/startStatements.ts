/**
 * The start of a run as SQL: its conversation if that is new, and its own row, under the lock of the conversation's. Of
 * two nodes that start a run in one conversation at once, only one succeeds.
 */

import { sql } from "kysely";
import type { StoreTransaction } from "../connections/database.js";
import { writeSetup } from "../conversations/setup.js";
import { FencedError, SessionMovedError, SessionUnknownError } from "../errors.js";
import type { NotificationPayloads } from "../live/notificationPayload.js";
import { closingIn, type RunBatch, type RunStart } from "./runBatch.js";
import type { StatementPart } from "./statementPart.js";
import { storedText } from "./storedText.js";

export interface Ownership {
  readonly owner: string;
  readonly leaseMs: number;
  /** The notification of other nodes that runs moved. Absent if there are none. */
  readonly news?: NotificationPayloads | undefined;
}

export async function beginRun(
  db: StoreTransaction,
  ownership: Ownership,
  batch: RunBatch,
  start: RunStart,
): Promise<void> {
  const { conversationId, userId, model, runsBefore } = start;
  const at = new Date(batch.events[0]?.at ?? 0);
  const { rows } = await sql<{ answer: "begun" | "unknown" | "moved" | "taken" }>`
    select cx_begin_run(
      ${batch.runId}, ${conversationId}, ${userId}, ${storedText(model)}, ${at}, ${runsBefore},
      ${ownership.owner}, ${batch.epoch}, ${ownership.leaseMs / 1000}, ${start.isResumable}, ${start.isTold}
    ) as answer
  `.execute(db);
  const answer = rows[0]?.answer;
  if (answer === "moved") throw new SessionMovedError(conversationId);
  if (answer === "taken") throw new FencedError(batch.runId, "another node started it");
  if (answer !== "begun") throw new SessionUnknownError(conversationId);
  if (start.isCopy) {
    await sql`update cx_run set source_until = ${sourceEnd} where id = ${batch.runId}`.execute(db);
  }
  if (start.setup) await writeSetup(db, conversationId, start.setup);
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

/** Until when a run waits for the program that sends its events, counted from its writer's last sign. */
export const sourceEnd = sql`clock_timestamp() + interval '10 minutes'`;

/** By the database's own clock, so that nodes need not agree on the time. */
export function leaseEnd(leaseMs: number) {
  return sql`clock_timestamp() + make_interval(secs => ${leaseMs / 1000}::float8)`;
}

/** What conversations show of their runs: name, model and the time of the last change. Absent if nothing changed. */
export function touchPart(batches: readonly RunBatch[], first: number): StatementPart | undefined {
  const moved = batches.filter(
    (batch) => batch.start !== undefined || batch.title !== undefined || closingIn(batch),
  );
  if (moved.length === 0) return undefined;
  const text = `touched as (
    update cx_conversation as conversation set
      title = coalesce(conversation.title, news.title),
      last_model_id = coalesce(news.model, conversation.last_model_id),
      updated_at = greatest(conversation.updated_at, to_timestamp(news.at / 1000))
    from unnest($${first}::uuid[], $${first + 1}::text[], $${first + 2}::text[], $${first + 3}::float8[])
      as news (id, title, model, at)
    where conversation.id = news.id
  )`;
  const parameters = [
    moved.map(({ conversationId }) => conversationId),
    moved.map(({ title }) => textOrNull(title)),
    moved.map(({ start }) => textOrNull(start?.model)),
    moved.map(({ events }) => events.at(-1)?.at ?? 0),
  ];
  return { text, parameters };
}

function textOrNull(text: string | undefined): string | null {
  return text === undefined ? null : storedText(text);
}
