/** Checks whether a user is an account of the project that owns the database. A database without accounts accepts every user. */
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";

/** Also true if this login may not read the accounts: the database then refuses the first row. */
export async function hasAccount(db: StoreDb, userId: string): Promise<boolean> {
  const { rows: accounts } = await sql<{ isReadable: boolean }>`
    select has_schema_privilege('auth', 'usage') and has_table_privilege(confrelid, 'select') as "isReadable"
    from pg_constraint
    where conrelid = to_regclass('public.cx_conversation') and conname = 'cx_conversation_user_id_fkey'
  `.execute(db);
  if (accounts[0]?.isReadable !== true) return true;
  const { rows } = await sql`select from auth.users where id = ${userId}`.execute(db);
  return rows.length > 0;
}
