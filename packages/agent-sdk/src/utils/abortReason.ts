/** Helpers for abort signals. */
import { withoutUndefined } from "@callboard/run-log/values";

/** Why a signal was aborted, in words. */
export function abortReasonOf({ reason }: AbortSignal): string {
  if (typeof reason === "string") return reason;
  return reason instanceof Error && reason.name !== "AbortError" ? reason.message : "cancelled";
}

/** Resolves when the signal aborts; never, once `until` has. */
export function whenAborted(signal: AbortSignal, until?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    signal.addEventListener("abort", () => resolve(), {
      once: true,
      ...withoutUndefined({ signal: until }),
    });
  });
}
