/**
 * Cancels a run wherever it runs. Here it stops at once, and a parked one is taken up here for it; elsewhere the wish is written to the database, whose
 * notification reaches the run's node at once and whose column it reads when it renews its lease.
 */
import type { ServerParts } from "../parts.js";
import { wake } from "./waking.js";

export async function cancelRun(parts: CancelParts, runId: string, reason: string): Promise<void> {
  if (isCancelled(parts, runId, reason) || (await isWokenAndCancelled(parts, runId, reason)))
    return;
  await parts.store.askToCancel(runId);
  // It may have been parked meanwhile: then its node no longer receives the cancellation.
  await isWokenAndCancelled(parts, runId, reason);
}

type CancelParts = Pick<
  ServerParts,
  "host" | "store" | "directory" | "builtinTools" | "clientCalls"
>;

const isCancelled = ({ host }: CancelParts, runId: string, reason: string): boolean =>
  host.cancel(runId, undefined, reason);

async function isWokenAndCancelled(
  parts: CancelParts,
  runId: string,
  reason: string,
): Promise<boolean> {
  const letGo = await wake(parts, runId);
  if (letGo === undefined) return false;
  const isDone = isCancelled(parts, runId, reason);
  letGo();
  return isDone;
}
