/**
 * The memory of a user's agents in `cx_agent_memory`, for the memory tool of the SDK. It reads and writes as that user,
 * so the policy of the table enforces the ownership. It reads no clock.
 */
import type { createBuiltinTools } from "@callboard/agent-sdk";
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { asReader } from "../reading/asReader.js";
import { storedText } from "../writing/storedText.js";

/** Where the SDK's memory tool stores its notes. */
export type MemoryStore = NonNullable<Parameters<typeof createBuiltinTools>[0]["memory"]>;
type MemoryEntry = Parameters<MemoryStore["put"]>[0];

/** More than these and the ones stored first go. */
const maxEntries = 1_000;

interface MemoryRow {
  readonly key: string;
  readonly content: string;
  readonly memory_type: MemoryEntry["term"];
  readonly updated_at: Date;
  readonly expires_at: Date | null;
}

const living = (now: number) => sql`
  scope = 'user' and deleted_at is null and (expires_at is null or expires_at > ${new Date(now)})
`;

export function createMemoryStore(db: StoreDb, userId: string): MemoryStore {
  const reader = { userId };

  async function read(now: number, key?: string): Promise<readonly MemoryEntry[]> {
    return await asReader(db, reader, async (own) => {
      const { rows } = await sql<MemoryRow>`
        select key, content, memory_type, updated_at, expires_at from cx_agent_memory
        where user_id = ${userId} and ${living(now)} and key = coalesce(${key ?? null}::text, key)
        order by updated_at desc, id
      `.execute(own);
      return rows.map(memoryEntryOf);
    });
  }

  return {
    async put({ key, text, term, storedAt, expiresAt }, now) {
      await asReader(db, reader, async (own) => {
        await sql`
          insert into cx_agent_memory as memory
            (user_id, key, content, memory_type, expires_at, created_at, updated_at)
          values (
            ${userId}, ${storedText(key)}, ${storedText(text)}, ${term},
            ${expiresAt === undefined ? null : new Date(expiresAt)}, ${new Date(storedAt)},
            ${placeAfterAll(userId, storedAt)}
          )
          on conflict on constraint cx_agent_memory_key do update set
            content = excluded.content, memory_type = excluded.memory_type,
            expires_at = excluded.expires_at, updated_at = excluded.updated_at, deleted_at = null
        `.execute(own);
        await sql`
          delete from cx_agent_memory where id in (
            select id from cx_agent_memory where user_id = ${userId} and ${living(now)}
            order by updated_at desc, id offset ${maxEntries}
          )
        `.execute(own);
      });
    },
    get: async (key, now) => (await read(now, storedText(key)))[0],
    list: (now) => read(now),
    async remove(key, now) {
      return await asReader(db, reader, async (own) => {
        const { rows } = await sql`
          update cx_agent_memory set deleted_at = ${new Date(now)}
          where user_id = ${userId} and ${living(now)} and key = ${storedText(key)} returning id
        `.execute(own);
        return rows.length > 0;
      });
    },
  };
}

/** Of two that are stored in the same millisecond the later one is newer: a microsecond distinguishes them. */
function placeAfterAll(userId: string, storedAt: number) {
  return sql`greatest(
    ${new Date(storedAt)}::timestamptz,
    (
      select max(updated_at) + interval '1 microsecond' from cx_agent_memory
      where user_id = ${userId} and updated_at < ${new Date(storedAt + 1)}::timestamptz
    )
  )`;
}

function memoryEntryOf(row: MemoryRow): MemoryEntry {
  const { key, content: text, memory_type: term, updated_at, expires_at } = row;
  const entry = { key, text, term, storedAt: updated_at.getTime() };
  return expires_at === null ? entry : { ...entry, expiresAt: expires_at.getTime() };
}
