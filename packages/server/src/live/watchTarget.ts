/** One run's share of a response for many: it can be left without leaving the others. */
import type { Line } from "../streams/line.js";
import type { Sink } from "../streams/sink.js";
import type { LineTarget } from "./lineTarget.js";

export interface WatchTarget extends LineTarget {
  /** The reader of the run stops: the response continues without it. */
  drop(): void;
}

export interface WatchTargetOptions {
  readonly sink: Sink;
  readonly write: (lines: readonly Line[]) => boolean;
  readonly onFinish: () => void;
}

export function createWatchTarget({ sink, write, onFinish }: WatchTargetOptions): WatchTarget {
  const closings = new Set<() => void>();
  let isDropped = false;
  return {
    get isClosed() {
      return isDropped || sink.isClosed;
    },
    get isFull() {
      return sink.fullSince !== undefined;
    },
    framing: undefined,
    write: (lines) => (Buffer.isBuffer(lines) ? sink.write(lines) : write(lines)),
    onDrain: sink.onDrain,
    onClose(closed) {
      const forget = sink.onClose(closed);
      closings.add(closed);
      return () => {
        closings.delete(closed);
        forget();
      };
    },
    finish: onFinish,
    cut: sink.cut,
    drop() {
      isDropped = true;
      for (const closed of [...closings]) closed();
      closings.clear();
    },
  };
}
