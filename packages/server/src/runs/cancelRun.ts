/**
 * Cancels a run wherever it runs. Here it stops at once; elsewhere the wish is written to the database, whose
 * notification reaches the run's node at once and whose column it reads when it renews its lease.
 */
import type { ServerParts } from "../parts.js";

export async function cancelRun(
  { host, store }: Pick<ServerParts, "host" | "store">,
  runId: string,
  reason: string,
): Promise<void> {
  if (host.cancel(runId, undefined, reason)) return;
  await store.askToCancel(runId);
}
