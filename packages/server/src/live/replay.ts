/**
 * The stored part of a run for one reader: the same projection as the live one, from the log's start; only what the
 * reader has not received is sent. It continues where it stopped.
 */
import type { Clock } from "@callboard/agent-sdk";
import type { RunEvent } from "@callboard/run-log";
import type { Cursor } from "../streams/cursor.js";
import { createLines, type StreamForm } from "../streams/format.js";
import type { Draft, Line } from "../streams/line.js";
import { createMerger } from "../streams/merger.js";

export interface Replay {
  /** Tells everything up to a position, a page at a time; waits for each page to be taken. */
  tellTo(position: number, take: (lines: readonly Line[]) => Promise<void>): Promise<void>;
  /** Whether the run's closing was sent. */
  readonly isOver: boolean;
}

export interface ReplayOptions {
  readonly read: (range: { after: number; limit: number }) => Promise<readonly RunEvent[]>;
  readonly form: StreamForm;
  readonly cursor: Cursor;
  readonly clock: Clock;
}

/** Pages grow while their lines are short and shrink when they are long: a reader costs little either way. */
const leastEvents = 16;
const mostEvents = 512;
const mostChars = 65_536;

export function createReplay({ read, form, cursor, clock }: ReplayOptions): Replay {
  const maker = createLines(form);
  let told: Line[] = [];
  let position = 0;
  let pageEvents = leastEvents;
  let isOver = false;
  const windowMs = form.rate === undefined ? 0 : Number.POSITIVE_INFINITY;
  const merger = createMerger({ windowMs, clock, emit: (line) => told.push(line) });
  const isNews = ({ seq, index }: Draft): boolean =>
    seq > cursor.seq + 1 || (seq === cursor.seq + 1 && index >= cursor.lines);

  return {
    get isOver() {
      return isOver;
    },
    async tellTo(to, take) {
      while (position < to && !isOver) {
        const limit = Math.min(pageEvents, to - position);
        const page = await read({ after: position, limit });
        if (page.length === 0) return;
        for (const event of page) {
          for (const draft of maker.push(event)) if (isNews(draft)) merger.push(draft);
          position = event.seq;
          isOver ||= event.type === "run.closed";
        }
        merger.flush();
        const lines = told;
        told = [];
        const pieces = batchesOf(lines);
        pageEvents =
          pieces.length > 1
            ? Math.max(leastEvents, pageEvents >> 1)
            : Math.min(mostEvents, pageEvents << 1);
        for (const piece of pieces) await take(piece);
      }
    },
  };
}

/** Lines in portions that a connection takes at once. */
function batchesOf(lines: readonly Line[]): readonly (readonly Line[])[] {
  const pieces: Line[][] = [];
  let chars = mostChars;
  for (const line of lines) {
    if (chars >= mostChars) {
      pieces.push([]);
      chars = 0;
    }
    pieces.at(-1)?.push(line);
    chars += line.json.length;
  }
  return pieces;
}
