/**
 * Every way in which a user could try to reach another user's rows over SQL. A probe returns how many rows it got or
 * changed; a refusal counts like none.
 */
import { randomUUID } from "node:crypto";
import type { SqlSession } from "../migrations/sqlSession.js";
import type { Tenant } from "./tenant.js";

export interface Probe {
  readonly name: string;
  /** Gives a row for each row of the victim that it reached. */
  readonly statement: string;
  readonly parameters: readonly unknown[];
}

interface ProbedTable {
  readonly name: string;
  /** A column that holds something worth changing. */
  readonly column: string;
  /** What picks the victim's rows. */
  readonly where: string;
  readonly value: (victim: Tenant) => string;
  /** Columns that make a planted row another one than the victim's. */
  readonly fresh: Readonly<Record<string, () => unknown>>;
}

const id = { id: randomUUID };

const tables: readonly ProbedTable[] = [
  table("cx_conversation", "title", "id", (victim) => victim.conversationId, id),
  table("cx_message", "metadata", "conversation_id", (victim) => victim.conversationId, {
    ...id,
    position: () => 1_000,
  }),
  table("cx_user_request", "error", "conversation_id", (victim) => victim.conversationId, id),
  table("cx_tool_call", "output", "conversation_id", (victim) => victim.conversationId, {
    ...id,
    call_id: () => "planted",
  }),
  table("cx_run", "cancel_requested_at", "conversation_id", (victim) => victim.conversationId, id),
  table("cx_run_event", "event", "run_id", (victim) => victim.runId, { seq: () => 5 }),
  table("cx_run_delta", "event", "run_id", (victim) => victim.runId, { seq: () => 5 }),
  table("cx_output", "body", "run_id", (victim) => victim.runId, {}),
  table("cx_search", "words", "conversation_id", (victim) => victim.conversationId, {
    source_id: randomUUID,
  }),
  table("cx_node_secret", "secret", "is_only", () => "true", { is_only: () => false }),
  table("cx_agent_memory", "content", "user_id", (victim) => victim.userId, {
    ...id,
    key: () => "planted",
  }),
  table("cx_permission", "permission_level", "resource_id", (victim) => victim.conversationId, {
    ...id,
    granted_to_user_id: randomUUID,
  }),
  table("cx_share_link", "revoked_at", "conversation_id", (victim) => victim.conversationId, id),
  table("cx_answer_link", "used_at", "run_id", (victim) => victim.runId, id),
  table("cx_kept_output", "size", "run_id", (victim) => victim.runId, {
    ...id,
    call_id: () => "x",
  }),
  table("cx_kept_output_part", "body", "output_id", (victim) => victim.outputId, {
    part: () => 1_000,
  }),
  table("cx_queued_ask", "ask", "conversation_id", (victim) => victim.conversationId, {
    message_id: randomUUID,
  }),
  table("cx_mcp_login", "sealed", "user_id", (victim) => victim.userId, {
    server_url: () => "https://planted.example",
  }),
  table("cx_mcp_login_attempt", "sealed", "user_id", (victim) => victim.userId, id),
  table("cx_migration", "checksum", "version", () => "1", { version: () => 1_000 }),
];

function table(
  name: string,
  column: string,
  where: string,
  value: ProbedTable["value"],
  fresh: ProbedTable["fresh"],
): ProbedTable {
  return { name, column, where, value, fresh };
}

export const probedTables: readonly string[] = tables.map(({ name }) => name);

/** `rows` are the victim's, as the service sees them: what an attacker would plant copies of. */
export function probesAgainst(
  victim: Tenant,
  rows: ReadonlyMap<string, Readonly<Record<string, unknown>>>,
): readonly Probe[] {
  return [
    ...tables.flatMap((one) => tableProbes(one, victim, rows.get(one.name) ?? {})),
    ...functionProbes(victim),
  ];
}

function tableProbes(
  { name, column, where, value, fresh }: ProbedTable,
  victim: Tenant,
  row: Readonly<Record<string, unknown>>,
): readonly Probe[] {
  const key = value(victim);
  const picked = `${name}.${where}::text = $1`;
  const another = Object.fromEntries(Object.entries(fresh).map(([field, make]) => [field, make()]));
  const copy = JSON.stringify(row);
  const planted = JSON.stringify({ ...row, ...another });
  const columns = Object.keys(row).join(", ");
  const insert = `insert into ${name} (${columns}) select ${columns} from json_populate_record(null::${name}, $1)`;
  const probe = (what: string, statement: string, ...parameters: readonly unknown[]): Probe => ({
    name: `${name}: ${what}`,
    statement,
    parameters,
  });
  return [
    probe("read by key", `select * from ${name} where ${picked}`, key),
    probe("count", `select from ${name} where ${picked} having count(*) > 0`, key),
    probe("read with an or", `select 1 from ${name} where ${picked} or ${picked}`, key),
    probe(
      "read through a join",
      `select 1 from ${name} join ${name} as other on true where ${picked}`,
      key,
    ),
    probe(
      "read through an outer join",
      `select 1 from (select $1 as key) as x left join ${name} on ${picked} where ${name}.${where} is not null`,
      key,
    ),
    probe("lock", `select 1 from ${name} where ${picked} for update`, key),
    probe(
      "update by key",
      `update ${name} set ${column} = ${column} where ${picked} returning 1`,
      key,
    ),
    probe(
      "update blindly",
      `with touched as (update ${name} set ${column} = ${column} returning ${where}::text as key) select 1 from touched where key = $1`,
      key,
    ),
    probe("delete by key", `delete from ${name} where ${picked} returning 1`, key),
    probe(
      "delete blindly",
      `with gone as (delete from ${name} returning ${where}::text as key) select 1 from gone where key = $1`,
      key,
    ),
    probe("plant a copy", `${insert} returning 1`, copy),
    probe("plant a row beside", `${insert} returning 1`, planted),
    probe("upsert over", `${insert} on conflict do nothing returning 1`, planted),
    probe(
      "merge",
      `merge into ${name} using (select $1 as key) as x on ${name}.${where}::text = x.key when matched then update set ${column} = ${column}`,
      key,
    ),
  ];
}

function functionProbes(victim: Tenant): readonly Probe[] {
  const { conversationId, userId } = victim;
  const stranger = randomUUID();
  const call = (statement: string, ...parameters: readonly unknown[]): Probe => ({
    name: statement,
    statement,
    parameters,
  });
  return [
    call("select cx_share_conversation($1, $2, 'admin')", conversationId, stranger),
    call("select cx_share_conversation($1, cx_user_id(), 'admin')", conversationId),
    call("select cx_publish_conversation($1)", conversationId),
    call("select 1 where cx_unshare_conversation($1, $2)", conversationId, userId),
    call("select * from cx_conversation_grants($1)", conversationId),
    call("select 1 where cx_has_permission('cx_conversation', $1, 'viewer')", conversationId),
    call("select 1 where cx_is_granted($1, 'viewer')", conversationId),
    call("select 1 where cx_project_allows($1, 'viewer')", conversationId),
    call("select 1 where cx_hide_message($1)", victim.messageId),
    call("select 1 from cx_search_conversations('news') as id where id = $1", conversationId),
    call(
      "select cx_keep_words(array[$1::uuid], array[$1::uuid], 'call', array['planted'])",
      conversationId,
    ),
    call("select cx_close_table('cx_conversation')"),
    call("select 1 where cx_administers($1)", conversationId),
    call("select 1 where $1::uuid = any (cx_granted_conversations('viewer'))", conversationId),
    call("select cx_sweep_memories()"),
    call("select 1 from cx_recall('colour') where user_id = $1", userId),
    call("select 1 from cx_search_memories('blue') where user_id = $1", userId),
    call("select 1 from cx_tool_call_timing where user_id = $1", userId),
  ];
}

/** One row of each table that belongs to the victim, as JSON has it. */
export async function rowsOf(
  session: SqlSession,
  victim: Tenant,
): Promise<ReadonlyMap<string, Readonly<Record<string, unknown>>>> {
  const found = new Map<string, Readonly<Record<string, unknown>>>();
  for (const { name, where, value } of tables) {
    const rows = await session.query(
      `select row_to_json(${name})::jsonb as row from ${name} where ${where}::text = $1 limit 1`,
      [value(victim)],
    );
    const row = rows[0]?.row;
    if (typeof row === "object" && row !== null) found.set(name, { ...row });
  }
  return found;
}

/** A fingerprint of all that belongs to the victim, table by table. */
export async function digestsOf(
  session: SqlSession,
  victim: Tenant,
): Promise<ReadonlyMap<string, unknown>> {
  const digests = new Map<string, unknown>();
  for (const { name, where, value } of tables) {
    const [digest] = await session.query(
      `select count(*)::int as count, md5(string_agg(${name}::text, ',' order by ${name}::text)) as digest
       from ${name} where ${where}::text = $1`,
      [value(victim)],
    );
    digests.set(name, digest);
  }
  return digests;
}
