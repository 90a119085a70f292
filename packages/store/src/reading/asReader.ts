/**
 * Reads on behalf of a caller. The service sees everything; a user's query runs under the row-level security of that
 * user, in a transaction of its own, so that no query has to check the owner of rows.
 */
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { assertUuid } from "../ids.js";

export type Reader = "service" | "anonymous" | { readonly userId: string };

export async function asReader<Value>(
  db: StoreDb,
  reader: Reader,
  work: (db: StoreDb) => Promise<Value>,
): Promise<Value> {
  if (reader === "service") return await work(db);
  const [role, claims] =
    reader === "anonymous" ? ["anon", {}] : ["authenticated", jwtClaimsOf(reader)];
  return await db.transaction().execute(async (transaction) => {
    await sql`
      select set_config('role', ${role}, true),
        set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)
    `.execute(transaction);
    return await work(transaction);
  });
}

function jwtClaimsOf({ userId }: { readonly userId: string }): Readonly<Record<string, string>> {
  assertUuid("user", userId);
  return { sub: userId, role: "authenticated" };
}
