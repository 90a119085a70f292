/**
 * A signal that aborts with another one or after a time. It holds what it needs until it is ended,
 * which composed platform signals do not always do.
 */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Whether the time was up before the other signal aborted. */
  hasPassed(): boolean;
  /** Call it in any case: the timer and the listener live until then. */
  end(): void;
}

export function createDeadline(parent: AbortSignal, milliseconds: number): Deadline {
  const controller = new AbortController();
  let hasPassed = false;
  const follow = () => controller.abort(parent.reason);
  const timer = setTimeout(() => {
    hasPassed = true;
    controller.abort(new DOMException("The time was up.", "TimeoutError"));
  }, milliseconds);
  if (parent.aborted) follow();
  else parent.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    hasPassed: () => hasPassed,
    end() {
      clearTimeout(timer);
      parent.removeEventListener("abort", follow);
    },
  };
}
