/**
 * Rows of a conversation, in their order, until a page is full or has enough bytes: a thousand rows of some megabytes each
 * would be more than a node has memory for. PostgreSQL looks at one row after the other and stops there.
 */
import { type RawBuilder, sql } from "kysely";
import type { StoreDb } from "../connections/database.js";

/** Of the texts of a page. The row that exceeds it is its last. */
export const mostPageBytes = 8 * 1024 * 1024;

export interface BoundedPageOptions {
  readonly table: "cx_message" | "cx_tool_call";
  /** What the rows are ordered by, before their id. */
  readonly order: "position" | "created_at";
  readonly conversationId: string;
  /** The row before the page, as `(order, id)`. */
  readonly after: RawBuilder<unknown> | undefined;
  readonly limit: number;
}

export interface BoundedPage {
  /** In their order. */
  readonly ids: readonly string[];
  /** No row follows. */
  readonly isLast: boolean;
}

const sizeOf = {
  cx_message: "octet_length(content::text)",
  cx_tool_call:
    "octet_length(arguments::text) + coalesce(octet_length(output), 0) + octet_length(execution_events::text)",
};

export async function readBoundedPage(
  db: StoreDb,
  { table: name, order: column, conversationId, after, limit }: BoundedPageOptions,
): Promise<BoundedPage> {
  const table = sql.table(name);
  const order = sql.ref(column);
  const next = (from: RawBuilder<unknown> | undefined) => sql`
    select id, ${order} as place, (${sql.raw(sizeOf[name])})::bigint as bytes from ${table}
    where conversation_id = ${conversationId} and deleted_at is null
      ${from === undefined ? sql`` : sql`and (${order}, id) > ${from}`}
    order by ${order}, id limit 1`;
  const { rows } = await sql<{ readonly id: string; readonly bytes: number }>`
    with recursive page (id, place, bytes, count) as (
      (select id, place, bytes, 1 from (${next(after)}) as first)
      union all
      select following.id, following.place, page.bytes + following.bytes, page.count + 1
      from page cross join lateral (${next(sql`(page.place, page.id)`)}) as following
      where page.count < ${limit}::integer and page.bytes < ${mostPageBytes}::bigint
    )
    select id, bytes from page order by count
  `.execute(db);
  const isLast = rows.length < limit && (rows.at(-1)?.bytes ?? 0) < mostPageBytes;
  return { ids: rows.map(({ id }) => id), isLast };
}
