/** The usage of a user's tools, models and days. */
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";

export interface ToolFigures {
  readonly tool_name: string;
  readonly calls: number;
  readonly errors: number;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

export interface ModelFigures {
  readonly model: string | null;
  readonly requests: number;
  readonly failed: number;
  readonly total_tokens: number;
  readonly total_cost: number | null;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  /** From the question to the first of the answer. */
  readonly first_token_p50_ms: number | null;
  readonly first_token_p95_ms: number | null;
}

export interface DayFigures {
  /** `2026-11-16`, in UTC. */
  readonly day: string;
  readonly requests: number;
  readonly failed: number;
  readonly total_tokens: number;
  readonly total_cost: number | null;
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  /** From the question to the first of the answer. */
  readonly first_token_p50_ms: number | null;
  readonly first_token_p95_ms: number | null;
}

export interface Figures {
  readonly tools: readonly ToolFigures[];
  readonly models: readonly ModelFigures[];
  readonly days: readonly DayFigures[];
}

/** Rows that were written before it was measured, or by others, do not count. */
const firstTokenMs = sql`
        case when jsonb_typeof(metadata -> 'first_token_ms') = 'number'
          then (metadata ->> 'first_token_ms')::float8 end`;
const firstToken = sql`
      percentile_cont(0.5) within group (order by ${firstTokenMs}) as first_token_p50_ms,
      percentile_cont(0.95) within group (order by ${firstTokenMs}) as first_token_p95_ms`;

/** Of the last so many days. The reader's rights decide what is counted. */
export async function readFigures(db: StoreDb, userId: string, days: number): Promise<Figures> {
  const since = sql`now() - make_interval(days => ${days})`;
  const tools = await sql<ToolFigures>`
    select tool_name,
      count(*)::int as calls,
      (count(*) filter (where is_error))::int as errors,
      percentile_cont(0.5) within group (order by duration_ms)
        filter (where status in ('completed', 'error')) as p50_ms,
      percentile_cont(0.95) within group (order by duration_ms)
        filter (where status in ('completed', 'error')) as p95_ms
    from cx_tool_call
    where user_id = ${userId}::uuid and deleted_at is null and created_at >= ${since}
    group by tool_name
    order by calls desc, tool_name
    limit 100
  `.execute(db);
  const models = await sql<ModelFigures>`
    select metadata ->> 'model' as model,
      count(*)::int as requests,
      (count(*) filter (where status = 'failed'))::int as failed,
      coalesce(sum(total_tokens), 0)::float8 as total_tokens,
      sum(total_cost)::float8 as total_cost,
      percentile_cont(0.5) within group (order by total_duration_ms)
        filter (where status <> 'pending') as p50_ms,
      percentile_cont(0.95) within group (order by total_duration_ms)
        filter (where status <> 'pending') as p95_ms,
      ${firstToken}
    from cx_user_request
    where user_id = ${userId}::uuid and deleted_at is null and created_at >= ${since}
    group by metadata ->> 'model'
    order by requests desc, model
    limit 100
  `.execute(db);
  const daily = await sql<DayFigures>`
    select to_char((created_at at time zone 'utc')::date, 'YYYY-MM-DD') as day,
      count(*)::int as requests,
      (count(*) filter (where status = 'failed'))::int as failed,
      coalesce(sum(total_tokens), 0)::float8 as total_tokens,
      sum(total_cost)::float8 as total_cost,
      percentile_cont(0.5) within group (order by total_duration_ms)
        filter (where status <> 'pending') as p50_ms,
      percentile_cont(0.95) within group (order by total_duration_ms)
        filter (where status <> 'pending') as p95_ms,
      ${firstToken}
    from cx_user_request
    where user_id = ${userId}::uuid and deleted_at is null and created_at >= ${since}
    group by 1
    order by 1
  `.execute(db);
  return { tools: tools.rows, models: models.rows, days: daily.rows };
}
