/** A run as the database has it: whose it is, how far it is, who writes it, and how it ended. */
import type { RunEvent } from "@callboard/run-log";
import { type Selectable, sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { isUuid } from "../ids.js";
import type { RunTable, UserRequestTable } from "../schema.js";
import { asReader, type Reader } from "./asReader.js";
import { type EventRange, readEvents, readEventTexts } from "./runEvents.js";

export type Run = Selectable<RunTable>;
export type UserRequest = Selectable<UserRequestTable>;

export interface RunOptions {
  readonly as: Reader;
  readonly runId: string;
}

/** Undefined if there is none that the reader may see. */
export async function readRun(db: StoreDb, { as, runId }: RunOptions): Promise<Run | undefined> {
  if (!isUuid(runId)) return undefined;
  return await asReader(db, as, (reader) =>
    reader.selectFrom("cx_run").selectAll().where("id", "=", runId).executeTakeFirst(),
  );
}

export async function readRunsOf(
  db: StoreDb,
  { as, conversationId }: { readonly as: Reader; readonly conversationId: string },
): Promise<readonly Run[]> {
  if (!isUuid(conversationId)) return [];
  return await asReader(db, as, (reader) =>
    reader
      .selectFrom("cx_run")
      .selectAll()
      .where("conversation_id", "=", conversationId)
      .orderBy("created_at")
      .orderBy("id")
      .execute(),
  );
}

export async function readRequest(
  db: StoreDb,
  { as, runId }: RunOptions,
): Promise<UserRequest | undefined> {
  if (!isUuid(runId)) return undefined;
  return await asReader(db, as, (reader) =>
    reader.selectFrom("cx_user_request").selectAll().where("id", "=", runId).executeTakeFirst(),
  );
}

export async function readRunHead(
  db: StoreDb,
  runId: string,
): Promise<{ readonly lastSeq: number; readonly isClosed: boolean } | undefined> {
  const { rows } = await sql<{ lastSeq: number; isClosed: boolean }>`
    select last_seq as "lastSeq", status = 'closed' as "isClosed" from cx_run where id = ${runId}
  `.execute(db);
  return rows[0];
}

export interface RunEventsOptions extends RunOptions, EventRange {}

export async function readRunEvents(
  db: StoreDb,
  { as, runId, ...range }: RunEventsOptions,
): Promise<readonly RunEvent[]> {
  if (!isUuid(runId)) return [];
  return await asReader(db, as, (reader) => readEvents(reader, runId, range));
}

/** The lines of the log unchanged, for code that passes them on without parsing. */
export async function readRunLines(
  db: StoreDb,
  { as, runId, ...range }: RunEventsOptions,
): Promise<readonly string[]> {
  if (!isUuid(runId)) return [];
  return await asReader(db, as, (reader) => readEventTexts(reader, runId, range));
}
