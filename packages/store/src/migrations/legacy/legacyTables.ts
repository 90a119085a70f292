/** The statements of the copy: what is read from the schema `cx_legacy`, and how rows are written in bulk. */
import { isJson, isJsonObject, type JsonObject } from "@callboard/run-log";
import { tableExists } from "../migrationStatus.js";
import type { SqlRow, SqlSession } from "../sqlSession.js";
import type { OlderRow } from "./olderRow.js";

type OlderTable = "cx_conversation" | "cx_message" | "cx_user_request" | "cx_tool_call";

export async function unadoptedConversations(
  session: SqlSession,
  limit: number,
): Promise<readonly OlderRow[]> {
  const rows = await session.query(
    `select to_jsonb(older) as row from cx_legacy.cx_conversation as older
     where not exists (
       select from cx_legacy.adopted where kind = 'conversation' and adopted.id = older.id::text
     )
     order by older.id
     limit $1`,
    [limit],
  );
  return olderRowsIn(rows);
}

/** The rows of some conversations; empty if the older database had no such table. */
export async function readOlder(
  session: SqlSession,
  table: OlderTable,
  conversationIds: readonly string[],
): Promise<readonly OlderRow[]> {
  if (!(await tableExists(session, table, "cx_legacy"))) return [];
  const rows = await session.query(
    `select to_jsonb(older) as row from cx_legacy.${table} as older
     where older.conversation_id = any ($1::uuid[])
     order by to_jsonb(older) ->> 'created_at', older.id`,
    [conversationIds],
  );
  return olderRowsIn(rows);
}

export async function unadoptedMemories(session: SqlSession): Promise<readonly OlderRow[]> {
  if (!(await tableExists(session, "cx_agent_memory", "cx_legacy"))) return [];
  const rows = await session.query(
    `select to_jsonb(older) as row from cx_legacy.cx_agent_memory as older
     where older.user_id is not null and not exists (
       select from cx_legacy.adopted where kind = 'memory' and adopted.id = older.id::text
     )
     order by to_jsonb(older) ->> 'created_at', older.id`,
  );
  return olderRowsIn(rows);
}

function olderRowsIn(rows: readonly SqlRow[]): readonly OlderRow[] {
  return rows.map(({ row }) => {
    if (!isJson(row) || !isJsonObject(row))
      throw new TypeError("a row of the older schema is not JSON");
    return row;
  });
}

/** Gives how many were written; those that are there already are left as they are. */
export async function writeRows(
  session: SqlSession,
  table: OlderTable | "cx_agent_memory",
  rows: readonly JsonObject[],
): Promise<number> {
  const [first] = rows;
  if (first === undefined) return 0;
  const columns = Object.keys(first).join(", ");
  const written = await session.query(
    `insert into public.${table} (${columns})
     select ${columns} from jsonb_populate_recordset(null::public.${table}, $1::jsonb)
     on conflict (id) do nothing
     returning id`,
    [JSON.stringify(rows)],
  );
  return written.length;
}

export async function markAdopted(
  session: SqlSession,
  kind: "conversation" | "memory" | "grant",
  ids: readonly string[],
): Promise<void> {
  await session.query(
    "insert into cx_legacy.adopted (kind, id) select $1, unnest($2::text[]) on conflict do nothing",
    [kind, ids],
  );
}

/** Forks and parents may be copied before what they point at: they are joined at the end. */
export async function linkConversations(session: SqlSession): Promise<void> {
  for (const column of ["forked_from_id", "parent_conversation_id"]) {
    await session.query(
      `update public.cx_conversation as conversation
       set ${column} = target.id
       from cx_legacy.cx_conversation as older
       join public.cx_conversation as target on target.id = (to_jsonb(older) ->> '${column}')::uuid
       where conversation.id = older.id and conversation.${column} is null`,
    );
  }
}

/** Grants of the older table `permissions`, if it exists: to a user, or to the public. */
export async function copyGrants(session: SqlSession): Promise<number> {
  if (!(await tableExists(session, "permissions"))) return 0;
  await session.query(
    `create temporary table older_grant on commit drop as
     select
       (older.row ->> 'id') as id,
       (older.row ->> 'resource_id')::uuid as resource_id,
       (older.row ->> 'granted_to_user_id')::uuid as user_id,
       coalesce((older.row ->> 'is_public')::boolean, false) as is_public,
       (older.row ->> 'permission_level')::public.cx_permission_level as permission_level,
       (older.row ->> 'expires_at')::timestamptz as expires_at
     from (select to_jsonb(permissions) as row from public.permissions) as older
     where older.row ->> 'resource_type' = 'cx_conversation'
       and exists (select from public.cx_conversation where id = (older.row ->> 'resource_id')::uuid)
       and not exists (
         select from cx_legacy.adopted where kind = 'grant' and adopted.id = older.row ->> 'id'
       )`,
  );
  const granted = await session.query(
    `insert into public.cx_permission (resource_type, resource_id, granted_to_user_id, permission_level, expires_at)
     select distinct on (resource_id, user_id)
       'cx_conversation', resource_id, user_id, permission_level, expires_at
     from older_grant
     where user_id is not null
     order by resource_id, user_id, permission_level desc
     on conflict on constraint cx_permission_one_for_each_user do nothing
     returning id`,
  );
  const published = await session.query(
    `update public.cx_conversation set is_public = true
     where id in (select resource_id from older_grant where is_public) and not is_public
     returning id`,
  );
  const ids = await session.query("select id from older_grant");
  await markAdopted(
    session,
    "grant",
    ids.map(({ id }) => String(id)),
  );
  return granted.length + published.length;
}

export async function unplacedRows(session: SqlSession): Promise<number> {
  let count = 0;
  for (const table of ["cx_message", "cx_user_request", "cx_tool_call"]) {
    if (!(await tableExists(session, table, "cx_legacy"))) continue;
    const rows = await session.query(
      `select older.id from cx_legacy.${table} as older
       where not exists (
         select from cx_legacy.cx_conversation as conversation where conversation.id = older.conversation_id
       )`,
    );
    count += rows.length;
  }
  return count;
}
