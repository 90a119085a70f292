/**
 * All responses that are open: they get their heartbeats here, and the stalled among them their end.
 * One timer serves them all, however many there are.
 */
import type { Clock } from "@callboard/agent-sdk";
import { HttpProblem } from "../http/problem.js";
import { type Framing, heartbeat } from "./format.js";
import type { Sink } from "./sink.js";

export interface OpenStreams {
  readonly count: number;
  /** Throws a 429 if the owner has as many open as it may. */
  assertRoom(owner: string): void;
  add(sink: Sink, framing: Framing, owner: string): void;
  /** Ends all of them; readers come back, to another node or to the next start. */
  close(): void;
}

export interface OpenStreamsOptions {
  readonly clock: Clock;
  /** Silence after which a heartbeat is sent. */
  readonly heartbeatMs: number;
  /** For how long a reader may be full: it is cut before that. */
  readonly stallMs: number;
  /** Undefined limits nothing. */
  readonly maxPerOwner: number | undefined;
  readonly onCut: () => void;
}

export function createOpenStreams(options: OpenStreamsOptions): OpenStreams {
  const { clock, heartbeatMs, stallMs, maxPerOwner, onCut } = options;
  const open = new Map<Sink, Framing>();
  const counts = new Map<string, number>();
  const closing = new AbortController();
  const tickMs = Math.min(heartbeatMs, stallMs) / 6;
  let isTicking = false;

  function tend(): void {
    const now = clock.monotonic();
    for (const [sink, framing] of open) {
      if (sink.fullSince !== undefined) {
        // At the next look it would be too late.
        if (now + tickMs - sink.fullSince <= stallMs) continue;
        onCut();
        sink.cut();
      } else if (now - sink.lastWriteAt >= heartbeatMs) {
        sink.write(heartbeat(framing, clock.now()));
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
    assertRoom(owner) {
      if (maxPerOwner === undefined || (counts.get(owner) ?? 0) < maxPerOwner) return;
      const detail = `You have ${maxPerOwner} streams open, which is the limit: close one first.`;
      const headers = { "retry-after": "5" };
      throw new HttpProblem(429, "too-many-streams", detail, { headers });
    },
    add(sink, framing, owner) {
      open.set(sink, framing);
      counts.set(owner, (counts.get(owner) ?? 0) + 1);
      sink.onClose(() => {
        open.delete(sink);
        const left = (counts.get(owner) ?? 1) - 1;
        if (left === 0) counts.delete(owner);
        else counts.set(owner, left);
      });
      if (!isTicking) void tick();
    },
    close() {
      closing.abort();
      for (const sink of [...open.keys()]) sink.end();
    },
  };
}
