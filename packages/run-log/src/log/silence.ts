/** How long a running call has been silent: computed from the times of its events, never stored. */
import type { CallEvent } from "./events/index.js";

/** The silence of a running call after which people see it. */
export const noticedSilenceMs = 10_000;

/** Whether an event is a sign of activity of the call. A heartbeat only shows that the call has not been ended. */
export function isSign(event: CallEvent): boolean {
  return event.type !== "call.run.progressed" || event.progress.type !== "heartbeat";
}
