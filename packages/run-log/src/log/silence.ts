/** How long nothing was heard of a call that runs: read from the times of its events, never written down. */
import type { CallEvent } from "./events/index.js";

/** Silence of a running call from which on people are told of it. */
export const noticedSilenceMs = 10_000;

/** Whether an event is a sign of whoever works on the call. A heartbeat only says that nobody has ended it. */
export function isSign(event: CallEvent): boolean {
  return event.type !== "call.run.progressed" || event.progress.type !== "heartbeat";
}
