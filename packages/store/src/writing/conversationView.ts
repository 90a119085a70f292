/** The state of a conversation before a run starts in it. It reads; the start itself checks again. */
import type { RunId } from "@callboard/run-log";
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";

export interface ConversationState {
  readonly runs: number;
  readonly nextPosition: number;
  /** The node with a running run of it, other than the caller. */
  readonly busyOwner: string | null;
}

export async function viewConversation(
  db: StoreDb,
  conversationId: string,
  owner: string,
): Promise<ConversationState> {
  const { rows } = await sql<ConversationState>`
    select
      (select count(*) from cx_run where conversation_id = ${conversationId}) as runs,
      (select coalesce(max(position) + 1, 0) from cx_message where conversation_id = ${conversationId})
        as "nextPosition",
      (
        select run.owner from cx_run as run
        where run.conversation_id = ${conversationId} and run.status = 'open'
          and run.owner <> ${owner} and run.lease_until > clock_timestamp()
        limit 1
      ) as "busyOwner"
  `.execute(db);
  return rows[0] ?? { runs: 0, nextPosition: 0, busyOwner: null };
}

/** Everything that opening a conversation needs, in one query. Checks no rights. */
export interface ConversationLook {
  /** Undefined if there is none of this id. */
  readonly ownerId: string | undefined;
  readonly isDeleted: boolean;
  readonly nextPosition: number;
  /** In the order of their starts. */
  readonly runs: readonly LookedAtRun[];
}

export interface LookedAtRun {
  readonly id: RunId;
  readonly lastSeq: number;
  readonly storedBytes: number;
  readonly isClosed: boolean;
  readonly isParked: boolean;
  readonly owner: string | null;
  /** Whether it is open for the program that its events come from. */
  readonly isAwaited: boolean;
}

export async function lookAtConversation(
  db: StoreDb,
  conversationId: string,
): Promise<ConversationLook> {
  const { rows } = await sql<Omit<ConversationLook, "ownerId"> & { ownerId: string | null }>`
    select conversation.user_id as "ownerId", conversation.deleted_at is not null as "isDeleted",
      (select coalesce(max(position) + 1, 0) from cx_message where conversation_id = asked.id) as "nextPosition",
      (
        select coalesce(jsonb_agg(jsonb_build_object(
          'id', run.id, 'lastSeq', run.last_seq, 'storedBytes', run.stored_bytes,
          'isClosed', run.status = 'closed',
          'isParked', run.parked_at is not null, 'owner', run.owner,
          'isAwaited', run.status = 'open' and coalesce(run.source_until > clock_timestamp(), false)
        ) order by run.created_at, run.id), '[]')
        from cx_run as run where run.conversation_id = asked.id
      ) as runs
    from (select ${conversationId}::uuid as id) as asked
    left join cx_conversation as conversation on conversation.id = asked.id
  `.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error("a question without conditions has an answer");
  return { ...row, ownerId: row.ownerId ?? undefined };
}
