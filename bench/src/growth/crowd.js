/** Rows of many users, made inside the database: what others have while one user is measured. */
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";

/**
 * @typedef {object} Crowd
 * @property {number} conversations
 * @property {number} eventsEach Events of the one run of each conversation; 0 for none.
 * @property {boolean} isPublic
 */

/** Triggers are off meanwhile: rows and words are as they would have left them. */
const withoutTriggers = ["cx_conversation", "cx_message", "cx_tool_call", "cx_run_event"];

/**
 * Over a connection of its own: the store gives up on a statement that takes half a minute.
 * @param {string | undefined} url
 * @param {Crowd} crowd
 */
export async function addCrowd(url, crowd) {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const db = new Kysely({ dialect: new PostgresDialect({ pool }) });
  try {
    await insertCrowd(db, crowd);
  } finally {
    await db.destroy();
  }
}

/**
 * @param {Kysely<unknown>} db
 * @param {Crowd} crowd
 */
async function insertCrowd(db, { conversations, eventsEach, isPublic }) {
  await db.connection().execute(async (connection) => {
    const run = async (/** @type {ReturnType<typeof sql>} */ statement) => {
      await statement.execute(connection);
    };
    for (const table of withoutTriggers) {
      await run(sql`alter table ${sql.table(table)} disable trigger user`);
    }
    await run(sql`drop table if exists crowd`);
    await run(sql`
      create temporary table crowd as
      select gen_random_uuid() as conversation_id, gen_random_uuid() as run_id, gen_random_uuid() as message_id,
        md5('user' || number % 1000)::uuid as user_id, number
      from generate_series(1, ${conversations}::integer) as number`);
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
    if (eventsEach > 0) {
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
    for (const table of withoutTriggers) {
      await run(sql`alter table ${sql.table(table)} enable trigger user`);
    }
    await run(sql`vacuum analyze`);
  });
}
