/**
 * Cancels a run wherever it runs. Here it stops at once, and a parked one is taken up here for it; elsewhere the wish is written to the database, whose
 * notification reaches the run's node at once and whose column it reads when it renews its lease.
 */
import type { CallId } from "@callboard/run-log";
import type { ServerParts } from "../parts.js";
import type { RunFacts } from "../stores/runStore.js";
import { askedElsewhere } from "./otherPrograms.js";
import { wake } from "./waking.js";

/** Cancels a run for a person, also one that another program on the same home executes; with `callId`, one call of it. */
export async function stopRun(
  parts: CancelParts & Pick<ServerParts, "others" | "commands">,
  { runId, conversationId }: RunFacts,
  { callId, reason }: { readonly callId?: CallId | undefined; readonly reason: string },
): Promise<void> {
  const request =
    callId === undefined
      ? ({ type: "cancelRun", runId, reason } as const)
      : ({ type: "cancelCall", callId, reason } as const);
  // If it is refused, what was to be stopped has ended.
  if (await askedElsewhere(parts.others, { conversationId }, request)) return;
  if (callId === undefined) await cancelRun(parts, runId, reason);
  else await parts.commands.send({ type: "cancelCall", runId, callId, reason });
}

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
