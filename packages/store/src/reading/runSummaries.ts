/** The totals of the runs of conversations: the state of the last one, and the usage of all of them. */
import { type Selectable, sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import type { UserRequestTable } from "../schema.js";

type RequestStatus = Selectable<UserRequestTable>["status"];

export interface RunSummary {
  readonly count: number;
  readonly open: number;
  readonly failed: number;
  /** Of the last one. */
  readonly last_status: RequestStatus;
  readonly last_error: string | null;
  readonly model: string | null;
  /** The agent that ran it, if the log names one. */
  readonly agent: string | null;
  /** The names of the tools that were called, in their order. */
  readonly tools: readonly string[];
  readonly tool_calls: number;
  readonly total_tokens: number;
  readonly total_cost: number | null;
  readonly duration_ms: number;
}

/** By conversation; one without a run has none. The reader's rights decide what is counted. */
export async function readRunSummaries(
  db: StoreDb,
  conversationIds: readonly string[],
): Promise<ReadonlyMap<string, RunSummary>> {
  if (conversationIds.length === 0) return new Map();
  const { rows } = await sql<RunSummary & { readonly conversation_id: string }>`
    select request.conversation_id,
      count(*)::int as count,
      (count(*) filter (where run.status = 'open'))::int as open,
      (count(*) filter (where request.status = 'failed'))::int as failed,
      (array_agg(request.status order by request.created_at desc, request.id desc))[1] as last_status,
      (array_agg(request.error order by request.created_at desc, request.id desc))[1] as last_error,
      (array_agg(request.metadata ->> 'model' order by request.created_at desc, request.id desc))[1]
        as model,
      (array_agg(request.metadata ->> 'agent' order by request.created_at desc, request.id desc))[1]
        as agent,
      array(
        select distinct call.tool_name from cx_tool_call as call
        where call.conversation_id = request.conversation_id and call.deleted_at is null
        order by call.tool_name
      ) as tools,
      coalesce(sum(request.total_tool_calls), 0)::int as tool_calls,
      coalesce(sum(request.total_tokens), 0)::float8 as total_tokens,
      sum(request.total_cost)::float8 as total_cost,
      coalesce(sum(request.total_duration_ms), 0)::float8 as duration_ms
    from cx_user_request as request
    join cx_run as run on run.id = request.id
    where request.conversation_id = any (${conversationIds}::uuid[])
      and request.deleted_at is null
    group by request.conversation_id
  `.execute(db);
  return new Map(rows.map(({ conversation_id, ...summary }) => [conversation_id, summary]));
}
