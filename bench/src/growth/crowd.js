/** Rows of many users, made inside the database: what others have while one user is measured. */
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";

/**
 * @typedef {object} Crowd
 * @property {number} conversations
 * @property {number} eventsEach Events of the one run of each conversation; 0 for none.
 * @property {boolean} isPublic
 */

/** Rows are made in groups of this many conversations, so that no statement needs much memory. */
const group = 50_000;

/** How many others there are. */
const users = 1_000;

/** What the server does less of while rows are made: nothing of it is measured, and a crash costs only the bench. */
const whileFilling = {
  fsync: "off",
  full_page_writes: "off",
  synchronous_commit: "off",
  max_wal_size: "'4GB'",
};

/**
 * Over a connection of its own: the store gives up on a statement that takes half a minute.
 * @param {string} url
 * @param {readonly Crowd[]} crowds
 */
export async function addCrowds(url, crowds) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  try {
    await db.connection().execute(async (connection) => {
      for (const [name, value] of Object.entries(whileFilling)) {
        await sql.raw(`alter system set ${name} = ${value}`).execute(connection);
      }
      await sql`select pg_reload_conf()`.execute(connection);
      const indexes = await withoutIndexes(connection);
      // Triggers and foreign keys are off in this session alone: rows and words are as they would have left them.
      await sql`set session_replication_role = replica`.execute(connection);
      await sql`set maintenance_work_mem = '512MB'`.execute(connection);
      let made = 0;
      for (const crowd of crowds) {
        const end = made + crowd.conversations;
        for (; made < end; made = Math.min(end, made + group)) {
          const to = Math.min(end, made + group);
          await insertCrowd(connection, { ...crowd, from: made + 1, to });
        }
      }
      for (const definition of indexes) await sql.raw(definition).execute(connection);
      await sql`vacuum analyze`.execute(connection);
      for (const name of Object.keys(whileFilling)) {
        await sql.raw(`alter system reset ${name}`).execute(connection);
      }
      await sql`select pg_reload_conf()`.execute(connection);
      await sql`checkpoint`.execute(connection);
    });
  } finally {
    await db.destroy();
  }
}

/**
 * Drops the indexes that only make reading quick; gives the statements that make them again. Building them at the end is
 * several times as quick as keeping them.
 *
 * @param {Kysely<unknown>} db
 * @returns {Promise<readonly string[]>}
 */
async function withoutIndexes(db) {
  const { rows } = await sql`
    select index.relname as name, pg_get_indexdef(index.oid) as definition
    from pg_index
    join pg_class as index on index.oid = indexrelid
    join pg_class as owner on owner.oid = indrelid
    where owner.relnamespace = 'public'::regnamespace and owner.relname in
      ('cx_conversation', 'cx_message', 'cx_search', 'cx_user_request', 'cx_run', 'cx_run_event')
      and not exists (select from pg_constraint where conindid = indexrelid)
  `.execute(db);
  const indexes = /** @type {{ name: string, definition: string }[]} */ (rows);
  for (const { name } of indexes) await sql`drop index ${sql.table(name)}`.execute(db);
  return indexes.map(({ definition }) => definition);
}

/**
 * Ids that count: rows come in the order of the indexes that must stay.
 *
 * @param {string} kind One hexadecimal digit.
 * @param {ReturnType<typeof sql>} number
 */
function idOf(kind, number) {
  return sql`('${sql.raw(kind)}0000000-0000-4000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`;
}

/**
 * @param {Kysely<unknown>} db
 * @param {Crowd & { from: number, to: number }} crowd
 */
async function insertCrowd(db, { from, to, eventsEach, isPublic }) {
  const run = async (/** @type {ReturnType<typeof sql>} */ statement) => {
    await statement.execute(db);
  };
  await run(sql`drop table if exists crowd`);
  await run(sql`
    create temporary table crowd as
    select ${idOf("a", sql`number`)} as conversation_id, ${idOf("b", sql`number`)} as run_id,
      ${idOf("c", sql`number`)} as source_id, owner.user_id, owner.mark, number
    from generate_series(${from}::integer, ${to}::integer) as number
    join (
      select place, md5('user' || place)::uuid as user_id, cx_owner_mark(md5('user' || place)::uuid) as mark
      from generate_series(0, ${users - 1}::integer) as place
    ) as owner on owner.place = number % ${users}::integer
    order by number`);
  await run(sql`
    insert into cx_conversation (id, user_id, title, is_public, message_count, updated_at)
    select conversation_id, user_id, 'Conversation ' || number, ${isPublic}, 2, now() - number * interval '1 second'
    from crowd`);
  await run(sql`
    insert into cx_message (id, conversation_id, role, position, content)
    select ${idOf("d", sql`number * 2 + place`)}, conversation_id, 'user', place, jsonb_build_array(jsonb_build_object(
      'type', 'text', 'text', 'Read the sources about harbour number ' || number || ', please.'))
    from crowd, generate_series(0, 1) as place`);
  await run(sql`
    insert into cx_search (source_id, conversation_id, kind, words)
    select source_id, conversation_id, 'message', array_to_tsvector(array[
      'c' || replace(conversation_id::text, '-', ''),
      mark || 'read', mark || 'the', mark || 'sources', mark || 'about', mark || 'harbour', mark || 'number',
      mark || number, mark || 'please'
    ])
    from crowd`);
  if (eventsEach === 0) return;
  await run(sql`
    insert into cx_user_request (id, conversation_id, user_id, status, completed_at)
    select run_id, conversation_id, user_id, 'completed', now() from crowd`);
  await run(sql`
    insert into cx_run (id, conversation_id, user_id, last_seq, stored_bytes, status, closed_at)
    select run_id, conversation_id, user_id, ${eventsEach}, ${eventsEach * 150}, 'closed', now() from crowd`);
  await run(sql`
    insert into cx_run_event (run_id, seq, at, type, event)
    select run_id, seq, now(),
      case seq when 1 then 'run.started' when ${eventsEach}::integer then 'run.closed' else 'text.delta' end,
      ('{"v":1,"runId":"' || run_id || '","seq":' || seq || ',"at":1800000000000,"type":"text.delta","text":"'
        || repeat('word ', 8) || '"}')::json
    from crowd, generate_series(1, ${eventsEach}::integer) as seq`);
}
