/** When to draw: soon after something changed, regularly while something moves, never otherwise. */
import type { Clock } from "@callboard/agent-sdk";

export interface Frames {
  /** Something has changed. */
  request(): void;
  close(): void;
}

export interface FramesOptions {
  readonly clock: Clock;
  readonly draw: () => void;
  /** How long until the next frame if nothing changes; undefined for never. */
  readonly pause: () => number | undefined;
}

/** Between two frames, at least. */
const shortestPauseMs = 30;

export function createFrames({ clock, draw, pause }: FramesOptions): Frames {
  const closed = new AbortController();
  let wake = new AbortController();
  let isRequested = false;

  async function loop(): Promise<void> {
    while (!closed.signal.aborted) {
      if (!isRequested) await rest();
      if (closed.signal.aborted) return;
      isRequested = false;
      draw();
      await clock.sleep(shortestPauseMs, closed.signal);
    }
  }

  /** Until something changes, or it is time. */
  async function rest(): Promise<void> {
    wake = new AbortController();
    const length = pause();
    if (length !== undefined) return clock.sleep(length, wake.signal);
    await new Promise<void>((resolve) => {
      wake.signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  void loop();
  return {
    request() {
      isRequested = true;
      wake.abort();
    },
    close() {
      closed.abort();
      wake.abort();
    },
  };
}
