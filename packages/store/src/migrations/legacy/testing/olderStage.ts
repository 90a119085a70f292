/** A database of the older shape, with one conversation, on the server that the tests start. */
import { createTestDatabase } from "@callboard/testkit/postgres";
import pg from "pg";
import { databaseOfClient, type SqlDatabase, type SqlRow } from "../../sqlSession.js";
import { olderSchema } from "./olderSchema.js";

export interface OlderStage {
  readonly database: SqlDatabase;
  run(statement: string, ...parameters: readonly unknown[]): Promise<readonly SqlRow[]>;
  /** A message of the conversation, in the order of the numbers. */
  say(
    number: number,
    role: string,
    position: number | null,
    content: unknown,
    conversation?: number,
  ): Promise<void>;
  close(): Promise<void>;
}

export const uuid = (number: number) =>
  `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** The user whose conversation 10 is. */
export const user = uuid(1);

export async function openOlderStage(): Promise<OlderStage> {
  const test = await createTestDatabase();
  const client = new pg.Client({ connectionString: test.url });
  await client.connect();
  const run = async (statement: string, ...parameters: readonly unknown[]) =>
    (await client.query<SqlRow>(statement, [...parameters])).rows;
  await client.query(olderSchema);
  await run(
    "insert into cx_conversation (id, user_id, title) values ($1, $2, 'News')",
    uuid(10),
    user,
  );
  return {
    database: databaseOfClient(client),
    run,
    async say(number, role, position, content, conversation = 10) {
      await run(
        `insert into cx_message (id, conversation_id, role, position, content, created_at)
         values ($1, $2, $3, $4, $5, '2026-01-01T00:00:00Z'::timestamptz + interval '1 second' * $6)`,
        uuid(number),
        uuid(conversation),
        role,
        position,
        JSON.stringify(content),
        number,
      );
    },
    async close() {
      await client.end();
      await test.drop();
    },
  };
}
