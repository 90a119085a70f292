/** What `callboard db adopt` does: converts a database of the older schema to the new one. */
import { connectDatabase } from "../../openDatabase.js";
import type { StoreOptions, StorePlace } from "../../storeOptions.js";
import { type AdoptOptions, adoptLegacy, type LegacyReport } from "./adoptLegacy.js";

export async function adoptDatabase(
  place: StorePlace,
  options: Pick<StoreOptions, "clock" | "logger"> & AdoptOptions,
): Promise<LegacyReport> {
  const database = await connectDatabase(place, options);
  try {
    return await database.withScripts((scripts) => adoptLegacy(scripts, options));
  } finally {
    await database.close();
  }
}
