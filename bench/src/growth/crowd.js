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

/**
 * Over a connection of its own: the store gives up on a statement that takes half a minute.
 * @param {string} url
 * @param {Crowd} crowd
 */
export async function addCrowd(url, crowd) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  try {
    await db.connection().execute(async (connection) => {
      const indexes = await withoutIndexes(connection);
      // Triggers and foreign keys are off in this session alone: rows and words are as they would have left them.
      await sql`set session_replication_role = replica`.execute(connection);
      await sql`set synchronous_commit = off`.execute(connection);
      await sql`set maintenance_work_mem = '512MB'`.execute(connection);
      for (let from = 1; from <= crowd.conversations; from += group) {
        const to = Math.min(crowd.conversations, from + group - 1);
        await insertCrowd(connection, { ...crowd, from, to });
      }
      for (const definition of indexes) await sql.raw(definition).execute(connection);
      await sql`vacuum analyze`.execute(connection);
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
    where not indisunique and owner.relnamespace = 'public'::regnamespace and owner.relname in
      ('cx_conversation', 'cx_message', 'cx_search', 'cx_user_request', 'cx_run', 'cx_run_event')
  `.execute(db);
  const indexes = /** @type {{ name: string, definition: string }[]} */ (rows);
  for (const { name } of indexes) await sql`drop index ${sql.table(name)}`.execute(db);
  return indexes.map(({ definition }) => definition);
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
    select gen_random_uuid() as conversation_id, gen_random_uuid() as run_id, gen_random_uuid() as message_id,
      md5('user' || number % 1000)::uuid as user_id, number
    from generate_series(${from}::integer, ${to}::integer) as number`);
  await run(sql`
    insert into cx_conversation (id, user_id, title, is_public, message_count, updated_at)
    select conversation_id, user_id, 'Conversation ' || number, ${isPublic}, 2, now() - number * interval '1 second'
    from crowd`);
  await run(sql`
    insert into cx_message (conversation_id, role, position, content)
    select conversation_id, 'user', place, jsonb_build_array(jsonb_build_object(
      'type', 'text', 'text', 'Read the sources about harbour number ' || number || ', please.'))
    from crowd, generate_series(0, 1) as place`);
  await run(sql`
    insert into cx_search (source_id, conversation_id, kind, words)
    select message_id, conversation_id, 'message', array_to_tsvector(cx_conversation_mark(conversation_id) || array(
      select cx_owner_mark(user_id) || word
      from unnest(array['read', 'the', 'sources', 'about', 'harbour', 'number', number::text, 'please']) as word))
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
