/**
 * All responses that are open: they get their heartbeats here, and the stalled among them their end.
 * One timer serves them all, however many there are.
 */
import type { Clock } from "@callboard/agent-sdk";
import { type Framing, heartbeat } from "./format.js";
import type { Sink } from "./sink.js";

export interface OpenStreams {
  readonly count: number;
  add(sink: Sink, framing: Framing): void;
  /** Ends all of them; readers come back, to another node or to the next start. */
  close(): void;
}

export interface OpenStreamsOptions {
  readonly clock: Clock;
  /** Silence after which a heartbeat is sent. */
  readonly heartbeatMs: number;
  /** For how long a reader may be full: it is cut before that. */
  readonly stallMs: number;
  readonly onCut: () => void;
}

export function createOpenStreams(options: OpenStreamsOptions): OpenStreams {
  const { clock, heartbeatMs, stallMs, onCut } = options;
  const open = new Map<Sink, Framing>();
  const closing = new AbortController();
  const tickMs = Math.min(heartbeatMs, stallMs) / 6;
  let isTicking = false;

  function tend(): void {
    const now = clock.now();
    for (const [sink, framing] of open) {
      if (sink.fullSince !== undefined) {
        // At the next look it would be too late.
        if (now + tickMs - sink.fullSince <= stallMs) continue;
        onCut();
        sink.cut();
      } else if (now - sink.lastWriteAt >= heartbeatMs) {
        sink.write(heartbeat(framing, now));
      }
    }
  }

  /** Ticks only while something is open. */
  async function tick(): Promise<void> {
    isTicking = true;
    while (open.size > 0 && !closing.signal.aborted) {
      await clock.sleep(tickMs, closing.signal);
      tend();
    }
    isTicking = false;
  }

  return {
    get count() {
      return open.size;
    },
    add(sink, framing) {
      open.set(sink, framing);
      sink.onClose(() => open.delete(sink));
      if (!isTicking) void tick();
    },
    close() {
      closing.abort();
      for (const sink of [...open.keys()]) sink.end();
    },
  };
}
