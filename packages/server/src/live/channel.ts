/**
 * One run as one format, for all who read it live: one tail, one projection, one merging, one window of
 * the newest lines. Readers take from the window at their own pace; one that falls out of it is cut.
 * The run never waits for anyone here.
 *
 *   tail ──▶ drafts ──▶ merger ──▶ window ──▶ readers
 */
import type { Clock, Logger } from "@callboard/agent-sdk";
import type { RunEvent } from "@callboard/run-log";
import { createLines, type Framing, framed, type StreamForm } from "../streams/format.js";
import type { Line } from "../streams/line.js";
import { createMerger } from "../streams/merger.js";
import { createWindow, type LineWindow } from "./lineWindow.js";

/** Whoever follows a channel. Told after a batch of lines, and when nothing follows. */
export interface Follower {
  wake(): void;
}

export interface Channel {
  readonly window: LineWindow;
  /** The run has closed and its last line is in the window. */
  readonly isOver: boolean;
  /** The tail broke: what is in the window is not the whole. */
  readonly isBroken: boolean;
  readonly followers: number;
  follow(follower: Follower): () => void;
  /** The current batch in its frames, for readers at its start. Made once for all. */
  newestFrom(number: number, framing: Framing): Buffer | undefined;
  close(): void;
}

export interface ChannelOptions {
  /** The run's events after a position. */
  readonly tail: (after: number) => AsyncIterable<RunEvent>;
  readonly form: StreamForm;
  readonly maxLagBytes: number;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** A database that is busy or unreachable for a moment is no reason to disconnect all readers. */
const mostAttempts = 5;
const pauseMs = 100;

export function createChannel(options: ChannelOptions): Channel {
  const { form, clock, logger } = options;
  const lines = createLines(form);
  const window = createWindow(options.maxLagBytes);
  const followers = new Set<Follower>();
  const closing = new AbortController();
  const merger = createMerger({
    windowMs: form.rate === undefined ? 0 : 1_000 / form.rate,
    clock,
    emit,
  });
  const bytes = new Map<Framing, Buffer>();
  /** The number of the first line of the current batch; undefined between batches. */
  let batchFrom: number | undefined;
  let toldTo = 0;
  let isTellingDue = false;
  let status: "live" | "over" | "broken" | "closed" = "live";
  let tail = options.tail(0)[Symbol.asyncIterator]();
  /** The last position that came. */
  let position = 0;

  function emit(line: Line): void {
    window.push(line);
    if (isTellingDue) return;
    isTellingDue = true;
    // Events of one turn of the event loop are sent, and written, together.
    setImmediate(tell);
  }

  function tell(): void {
    isTellingDue = false;
    batchFrom = toldTo;
    for (const follower of [...followers]) follower.wake();
    toldTo = window.end;
    batchFrom = undefined;
    bytes.clear();
  }

  /** Reads on to the end of the run, or of what can be read. Says whether it was the run's. */
  async function readOn(): Promise<boolean> {
    let isClosed = false;
    for (;;) {
      const next = await tail.next();
      if (next.done) return isClosed;
      for (const draft of lines.push(next.value)) merger.push(draft);
      position = next.value.seq;
      isClosed = next.value.type === "run.closed";
    }
  }

  async function run(): Promise<void> {
    for (let attempt = 1; status === "live"; attempt += 1) {
      const before = position;
      try {
        status = (await readOn()) ? "over" : status === "live" ? "broken" : status;
      } catch (error) {
        if (position > before) attempt = 1;
        if (attempt >= mostAttempts) status = "broken";
        const next = attempt >= mostAttempts ? "disconnecting its readers" : "retrying";
        logger.warn(`Reading the events of a run failed; ${next}.`, { attempt, error });
        await clock.sleep(pauseMs * 2 ** attempt, closing.signal);
        tail = options.tail(position)[Symbol.asyncIterator]();
      }
    }
    merger.close();
    tell();
  }

  void run();

  return {
    window,
    get isOver() {
      return status === "over";
    },
    get isBroken() {
      return status === "broken" || status === "closed";
    },
    get followers() {
      return followers.size;
    },
    follow(follower) {
      followers.add(follower);
      return () => void followers.delete(follower);
    },
    newestFrom(number, framing) {
      if (number !== batchFrom || number < window.start) return undefined;
      const known = bytes.get(framing);
      if (known) return known;
      const text = window.slice(number).map((line) => framed(line, framing));
      const made = Buffer.from(text.join(""));
      bytes.set(framing, made);
      return made;
    },
    close() {
      if (status === "live") status = "closed";
      closing.abort();
      merger.close();
      // The tail may wait for events that never come: it is released, not awaited.
      void tail.return?.();
      tell();
    },
  };
}
