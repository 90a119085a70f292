/** What tools and models took, as the views count it for whoever asks. */
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { asReader, type Reader } from "./asReader.js";

export interface ToolStatistics {
  readonly tool_name: string;
  readonly tool_type: string;
  /** Of UTC: `2027-01-31`. */
  readonly day: string;
  readonly model: string | null;
  readonly calls: number;
  readonly completed: number;
  readonly errors: number;
  readonly unfinished: number;
  /** Of those that have ended; null while none has. */
  readonly error_rate: number | null;
  readonly mean_duration_ms: number | null;
  readonly median_duration_ms: number | null;
  readonly p95_duration_ms: number | null;
  readonly longest_duration_ms: number | null;
  readonly mean_waiting_ms: number | null;
  readonly retries: number;
  readonly total_tokens: number | null;
  readonly cost_usd: number | null;
}

export interface RequestStatistics {
  readonly model: string | null;
  readonly day: string;
  readonly requests: number;
  readonly completed: number;
  readonly failed: number;
  readonly cancelled: number;
  readonly error_rate: number | null;
  readonly iterations: number;
  readonly tool_calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly total_tokens: number;
  readonly cost_usd: number | null;
  readonly mean_duration_ms: number | null;
  readonly p95_duration_ms: number | null;
  readonly mean_tool_duration_ms: number | null;
}

export interface StatisticsOptions {
  readonly as: Exclude<Reader, "anonymous">;
  /** The first day that counts: `2027-01-31`. */
  readonly since?: string;
}

export async function readToolStatistics(
  db: StoreDb,
  options: StatisticsOptions,
): Promise<readonly ToolStatistics[]> {
  return await read<ToolStatistics>(db, options, "cx_tool_statistics", "tool_name");
}

export async function readRequestStatistics(
  db: StoreDb,
  options: StatisticsOptions,
): Promise<readonly RequestStatistics[]> {
  return await read<RequestStatistics>(db, options, "cx_request_statistics", "model");
}

async function read<Row>(
  db: StoreDb,
  { as, since }: StatisticsOptions,
  view: string,
  then: string,
): Promise<readonly Row[]> {
  return await asReader(db, as, async (reader) => {
    const { rows } = await sql<Row>`
      select *, day::text as day from ${sql.table(view)}
      where ${since ?? null}::date is null or day >= ${since ?? null}::date
      order by day desc, ${sql.ref(then)}
    `.execute(reader);
    return rows;
  });
}
