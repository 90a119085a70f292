/** A user's own transaction: what is asked and changed in it is bound by that user's row-level security. */
import type { Store, StoreDb } from "@callboard/store";
import type { Viewer } from "./runStore.js";

export async function asUser<Value>(
  { database }: Store,
  { userId }: Viewer,
  work: (db: StoreDb) => Promise<Value>,
): Promise<Value> {
  const claims = JSON.stringify({ sub: userId, role: "authenticated" });
  return await database.db.transaction().execute(async (transaction) => {
    await transaction
      .selectNoFrom((eb) => [
        eb.fn("set_config", [eb.val("role"), eb.val("authenticated"), eb.val(true)]).as("role"),
        eb
          .fn("set_config", [eb.val("request.jwt.claims"), eb.val(claims), eb.val(true)])
          .as("claims"),
      ])
      .execute();
    return await work(transaction);
  });
}
