/**
 * A conversation with what its tools did: messages beside calls that are joined by `call_id` (option B of
 * docs/database.md), and calls alone (C).
 */
import { type Selectable, sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { isUuid } from "../ids.js";
import type { MessageTable, ToolCallTable } from "../schema.js";
import { storedText } from "../writing/storedText.js";
import { asReader, type Reader } from "./asReader.js";

export type Message = Selectable<MessageTable>;
export type ToolCall = Selectable<ToolCallTable>;

export interface MessagesOptions {
  readonly as: Reader;
  readonly conversationId: string;
  /** Only what comes after this position. */
  readonly after?: number;
  /** Default all. */
  readonly limit?: number;
}

function messageRowsOf(db: StoreDb, { conversationId, after = -1, limit }: MessagesOptions) {
  const query = db
    .selectFrom("cx_message as message")
    .where("message.conversation_id", "=", conversationId)
    .where("message.position", ">", after)
    .where("message.deleted_at", "is", null)
    .orderBy("message.position");
  return limit === undefined ? query : query.limit(limit);
}

export interface MessagesWithCalls {
  readonly messages: readonly Message[];
  /** By `call_id`, which is the `id` of a `tool_call` part. */
  readonly calls: ReadonlyMap<string, ToolCall>;
}

/** Option B, in one transaction: no call of a message is missing. */
export async function readMessagesWithCalls(
  db: StoreDb,
  options: MessagesOptions,
): Promise<MessagesWithCalls> {
  if (!isUuid(options.conversationId)) return { messages: [], calls: new Map() };
  return await asReader(db, options.as, async (reader) => {
    const messages = await messageRowsOf(reader, options).selectAll("message").execute();
    const calls = await callsOf(reader, options.conversationId);
    return { messages, calls: new Map(calls.map((call) => [call.call_id, call])) };
  });
}

/** Option C: every call of the conversation, those of nested agents too, in the order of their openings. */
export async function readToolCalls(
  db: StoreDb,
  { as, conversationId }: Pick<MessagesOptions, "as" | "conversationId">,
): Promise<readonly ToolCall[]> {
  if (!isUuid(conversationId)) return [];
  return await asReader(db, as, (reader) => callsOf(reader, conversationId));
}

async function callsOf(db: StoreDb, conversationId: string): Promise<readonly ToolCall[]> {
  return await db
    .selectFrom("cx_tool_call")
    .selectAll()
    .where("conversation_id", "=", conversationId)
    .where("deleted_at", "is", null)
    .orderBy("created_at")
    .orderBy("id")
    .execute();
}

export interface MessageRun {
  readonly runId: string;
  /** Whether the run started with the message. */
  readonly isFirst: boolean;
}

/** The run of a user's message, by the id that its sender chose. A hidden message is not found. */
export async function readRunOfMessage(
  db: StoreDb,
  conversationId: string,
  messageId: string,
): Promise<MessageRun | undefined> {
  const { rows } = await sql<MessageRun>`
    select message.metadata ->> 'run_id' as "runId", not exists (
      select from cx_message as earlier
      where earlier.conversation_id = message.conversation_id and earlier.position < message.position
        and earlier.metadata ->> 'run_id' = message.metadata ->> 'run_id'
    ) as "isFirst"
    from cx_message as message
    where message.conversation_id = ${conversationId} and message.role = 'user'
      and message.deleted_at is null and message.metadata ->> 'message_id' = ${storedText(messageId)}
    order by message.position desc limit 1
  `.execute(db);
  return rows[0];
}

export interface OutputOptions {
  readonly as: Reader;
  readonly persistKey: string;
  /** In characters as PostgreSQL counts them: code points. Default 0. */
  readonly from?: number;
  /** Default to the end. */
  readonly length?: number;
}

export interface OutputPart {
  readonly text: string;
  /** Code points of the whole. */
  readonly length: number;
}

export interface CallOutput {
  readonly conversationId: string;
  /** The whole; if it is in a file, its head and tail. */
  readonly text: string;
  /** Names the file that has the whole. */
  readonly fileKey: string | undefined;
}

export interface CallOutputOptions {
  readonly as: Reader;
  readonly runId: string;
  readonly callId: string;
}

/** The output of a call that has ended; undefined if there is none, or the reader may not see it. */
export async function readCallOutput(
  db: StoreDb,
  { as, runId, callId }: CallOutputOptions,
): Promise<CallOutput | undefined> {
  const row = await asReader(db, as, (reader) =>
    reader
      .selectFrom("cx_tool_call")
      .select(["conversation_id", "output", "persist_key"])
      .where("request_id", "=", runId)
      .where("call_id", "=", storedText(callId))
      .where("deleted_at", "is", null)
      .executeTakeFirst(),
  );
  if (row?.output == null) return undefined;
  const { conversation_id: conversationId, output, persist_key: persistKey } = row;
  if (persistKey === null) return { conversationId, text: output, fileKey: undefined };
  if (persistKey !== `${runId}/${callId}`) {
    return { conversationId, text: output, fileKey: persistKey };
  }
  const whole = await readOutput(db, { as, persistKey });
  return { conversationId, text: whole?.text ?? output, fileKey: undefined };
}

/** An output, or a part of it, whose row has only the head and tail; undefined if it is not here. */
export async function readOutput(
  db: StoreDb,
  { as, persistKey, from = 0, length }: OutputOptions,
): Promise<OutputPart | undefined> {
  const { rows } = await asReader(db, as, (reader) =>
    sql<OutputPart>`
      select length(body) as length, ${
        length === undefined
          ? sql`substr(body, ${from + 1}::integer)`
          : sql`substr(body, ${from + 1}::integer, ${length}::integer)`
      } as text
      from cx_output where persist_key = ${storedText(persistKey)}
    `.execute(reader),
  );
  return rows[0];
}
