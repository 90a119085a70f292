/** Where in the database something of a tenant's conversation is still found: every column of every table. */
import type { SqlSession } from "../migrations/sqlSession.js";
import type { Tenant } from "./tenant.js";

/** `table.column`, once for each column in which an id of the conversation or of its run occurs as text. */
export async function tracesOf(
  session: SqlSession,
  { conversationId, messageId, toolMessageId, runId, callRowId, outputId }: Tenant,
): Promise<readonly string[]> {
  const columns = await session.query(`
    select table_name::text as table, column_name::text as column
    from information_schema.columns
    where table_schema = 'public'
    order by 1, 2
  `);
  const ids = [conversationId, messageId, toolMessageId, runId, callRowId, outputId];
  const needles = ids.flatMap((id) => [id, id.replaceAll("-", "")]);
  const traces: string[] = [];
  for (const { table, column } of columns) {
    const found = await session.query(
      `select from ${table} where exists (
         select from unnest($1::text[]) as needle where position(needle in ${column}::text) > 0
       ) limit 1`,
      [needles],
    );
    if (found.length > 0) traces.push(`${table}.${column}`);
  }
  return traces;
}
