/**
 * Merges neighbouring deltas by time and size, so that a fast model does not cause a line per token. The result of the
 * fold does not change: offsets contain the position of a text, and every event that is not a delta flushes first and
 * passes at once. It has no clock: its owner calls `flush` when the time is over.
 */
import type { EventOf, RunEvent } from "./events/index.js";

export interface CoalesceLimits {
  /** A delta is held no longer than this after the first one held, by the times of the events. */
  readonly maxDelayMs: number;
  /** Held text beyond this many characters is let go at once. */
  readonly maxChars: number;
}

export interface Coalescer {
  /** The events that may pass now, in order; held text comes later. */
  push(event: RunEvent): readonly RunEvent[];
  flush(): readonly RunEvent[];
  /** The time of the oldest held text, for the timer that calls `flush`. */
  readonly heldSince: number | undefined;
}

type OutputProgress = EventOf<"call.run.progressed">;
type Delta = EventOf<"text.delta" | "reasoning.delta" | "call.input.delta"> | OutputProgress;

interface Held {
  readonly first: Delta;
  readonly offset: number;
  text: string;
  readonly seqs: number[];
}

export function createCoalescer(limits: CoalesceLimits): Coalescer {
  let held = new Map<string, Held>();
  let heldChars = 0;
  let heldSince: number | undefined;
  /** Everything up to here has been let go. */
  let through = 0;
  /** Everything up to here has come in. */
  let last = 0;

  function flush(): readonly RunEvent[] {
    const merged = [...held.values()];
    held = new Map();
    heldChars = 0;
    heldSince = undefined;
    const out: RunEvent[] = [];
    const arrived = new Set<number>();
    for (const piece of merged) {
      for (const seq of piece.seqs) arrived.add(seq);
      const from = through + 1;
      while (arrived.delete(through + 1)) through += 1;
      out.push(mergedDelta(piece, from, through));
    }
    return out;
  }

  return {
    flush,
    get heldSince() {
      return heldSince;
    },
    push(event) {
      const target = targetOf(event);
      if (target === undefined) {
        const before = flush();
        through = event.seq;
        last = event.seq;
        return [...before, event];
      }
      const piece = held.get(target.key);
      const isBreak = piece !== undefined && piece.offset + piece.text.length !== target.offset;
      const before = isBreak || firstSeqOf(event) !== last + 1 ? flush() : [];
      if (held.size === 0) through = firstSeqOf(event) - 1;
      hold(event, target);
      const isDue =
        heldChars >= limits.maxChars || event.at - (heldSince ?? event.at) >= limits.maxDelayMs;
      return isDue ? [...before, ...flush()] : before;
    },
  };

  function hold(event: RunEvent, target: Target): void {
    const seqs: number[] = [];
    for (let seq = firstSeqOf(event); seq <= event.seq; seq += 1) seqs.push(seq);
    const piece = held.get(target.key);
    if (piece) {
      piece.text += target.text;
      piece.seqs.push(...seqs);
    } else {
      held.set(target.key, { first: target.delta, offset: target.offset, text: target.text, seqs });
    }
    heldChars += target.text.length;
    heldSince ??= event.at;
    last = event.seq;
  }
}

interface Target {
  readonly delta: Delta;
  readonly key: string;
  readonly offset: number;
  readonly text: string;
}

function targetOf(event: RunEvent): Target | undefined {
  switch (event.type) {
    case "text.delta":
    case "reasoning.delta":
      return { delta: event, key: `part ${event.partId}`, offset: event.offset, text: event.text };
    case "call.input.delta":
      return { delta: event, key: `input ${event.callId}`, offset: event.offset, text: event.text };
    case "call.run.progressed": {
      const { progress } = event;
      if (progress.type !== "output") return undefined;
      const { offset, text } = progress;
      return { delta: event, key: `output ${event.callId}`, offset, text };
    }
    default:
      return undefined;
  }
}

function firstSeqOf(event: RunEvent): number {
  return "from" in event && event.from !== undefined ? event.from : event.seq;
}

/**
 * If several texts are held at once, a merged delta may contain more than its position covers: `seq` is the position up
 * to which nothing is missing. A reader that is disconnected there gets some text again, and its offset makes that
 * harmless.
 */
function mergedDelta(piece: Held, from: number, through: number): RunEvent {
  const { first, text } = piece;
  const place = { seq: through, ...(from < through ? { from } : {}) };
  if (first.type !== "call.run.progressed") return { ...first, ...place, text };
  const progress = { type: "output" as const, offset: piece.offset, text };
  return { ...first, ...place, progress };
}
