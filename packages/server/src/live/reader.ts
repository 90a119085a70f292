/**
 * One reader of one run: first what it has missed, from the store, then the channel's lines as they
 * come. A full reader is left alone until it has drained; one that falls out of the channel's window is
 * cut, and comes back with its cursor.
 */
import type { Cursor } from "../streams/cursor.js";
import type { Line } from "../streams/line.js";
import type { Channel } from "./channel.js";
import type { Hub } from "./hub.js";
import type { LineTarget } from "./lineTarget.js";
import type { Replay } from "./replay.js";

export interface ReaderOptions {
  readonly target: LineTarget;
  readonly cursor: Cursor;
  readonly replay: Replay;
  readonly onCut: (why: "lag" | "broken") => void;
  /** Ends when the run begins to wait for an answer after this position. By default it continues to the end of the run. */
  readonly turnAfter?: number;
}

const mostChars = 65_536;

class ReaderLeft extends Error {
  override readonly name = "ReaderLeft";
}

/** Sends what is stored of a run, and no more. Throws if it cannot be read. */
export async function readStored({ target, replay, onCut }: ReaderOptions): Promise<void> {
  try {
    await replay.tellTo(Number.MAX_SAFE_INTEGER, (lines) => writeLines(lines, target));
  } catch (error) {
    if (error instanceof ReaderLeft) return;
    onCut("broken");
    target.cut();
    throw error;
  }
  target.finish();
}

/** Tells what is stored and what comes, until the run closes or the reader leaves. */
export function readLive(hub: Hub, channel: Channel, options: ReaderOptions): void {
  const { target, replay, onCut, turnAfter } = options;
  const { window } = channel;
  let { cursor } = options;
  /** The number of the next line in the channel's window, once it is found. */
  let next: number | undefined;
  let isWaiting = false;
  let isDone = false;
  /** The number of the first line in which no end of the turn was looked for, and the end that was found. */
  let seen = 0;
  let turnEnd: number | undefined;
  const unfollow = hub.follow(channel, { wake });
  const forget = target.onClose(unfollow);

  function wake(): void {
    if (isDone || target.isClosed) return;
    // Also while it is full: its next lines are no longer available.
    if (next !== undefined && next < window.start) {
      cut("lag");
      return;
    }
    if (isWaiting) return;
    if (channel.isBroken) {
      cut("broken");
      return;
    }
    if (next === undefined) settle();
    if (next !== undefined) pump(next);
    else if (channel.isOver && !isWaiting) finish();
  }

  function settle(): void {
    const place = window.placeOf(cursor);
    switch (place.type) {
      case "line":
        next = place.number;
        return;
      case "wait":
        return;
      case "replay":
        void replayTo(place.to);
        return;
      default:
        place satisfies never;
    }
  }

  async function replayTo(to: number): Promise<void> {
    isWaiting = true;
    try {
      await replay.tellTo(to, (lines) => writeLines(lines, target));
    } catch (error) {
      if (!(error instanceof ReaderLeft)) cut("broken");
      return;
    }
    cursor = { seq: Math.max(to, cursor.seq), lines: 0 };
    isWaiting = false;
    wake();
  }

  function pump(from: number): void {
    let at = from;
    const pausedAt = endOfTurn();
    const end = pausedAt ?? window.end;
    while (!isWaiting && !target.isClosed) {
      if (at >= end) {
        next = at;
        if (channel.isOver || pausedAt !== undefined) finish();
        return;
      }
      // Many runs may share one connection: only one of them fills it at a time.
      if (target.isFull) {
        pause();
        return;
      }
      const { framing } = target;
      const batch = framing && end === window.end ? channel.newestFrom(at, framing) : undefined;
      const lines = batch ? [] : window.slice(at, mostChars).slice(0, end - at);
      at = batch ? end : at + lines.length;
      next = at;
      if (!target.write(batch ?? lines)) pause();
    }
  }

  /**
   * The number after the pause that ended the reader's turn, while the run still waits. Background calls may print after
   * it. Each line is looked at once.
   */
  function endOfTurn(): number | undefined {
    if (turnAfter === undefined) return undefined;
    const from = Math.max(seen, window.start);
    for (const [index, line] of window.slice(from).entries()) {
      if (!line.isWaiting) turnEnd = undefined;
      else if (line.isPause && line.seq > turnAfter) turnEnd ??= from + index + 1;
    }
    seen = window.end;
    return turnEnd;
  }

  function pause(): void {
    isWaiting = true;
    target.onDrain(() => {
      isWaiting = false;
      wake();
    });
  }

  function leave(): void {
    forget();
    unfollow();
  }

  function cut(why: "lag" | "broken"): void {
    isDone = true;
    onCut(why);
    target.cut();
    leave();
  }

  function finish(): void {
    isDone = true;
    target.finish();
    leave();
  }

  wake();
}

/** Resolves when the reader accepts more again; throws when it has left. */
async function writeLines(lines: readonly Line[], target: LineTarget): Promise<void> {
  if (target.isFull) await drained(target);
  if (target.isClosed) throw new ReaderLeft();
  if (target.write(lines)) return;
  await drained(target);
  if (target.isClosed) throw new ReaderLeft();
}

/** Resolves when the reader accepts more again, or when it has left. */
function drained(target: LineTarget): Promise<void> {
  return new Promise((resolve) => {
    const forget = target.onClose(resolve);
    target.onDrain(() => {
      forget();
      resolve();
    });
  });
}
