/**
 * One response that stays open: the raw connection, compressed if requested. It reports when the reader is full and when
 * it has drained, and measures the time, so that a stalled one can be disconnected. It does not know the content.
 */

import type { ServerResponse } from "node:http";
import type { Writable } from "node:stream";
import { withoutUndefined } from "@callboard/run-log/values";
import { createCompressor, type Encoding } from "./compression.js";

export interface Sink {
  /** False when the reader is full: the next write waits for `onDrain`. */
  write(bytes: string | Buffer): boolean;
  /**
   * Calls back once, when the reader has read what was written. Waiters have their turns one after the other: one that
   * fills it again lets the others wait.
   */
  onDrain(drained: () => void): void;
  /** Calls back once, when the connection is over, on either side. The returned function cancels it. */
  onClose(closed: () => void): () => void;
  /** Ends in order, after what was written. */
  end(): void;
  /** Drops the connection at once, so that the reader sees a cut and comes back. */
  cut(): void;
  /** Nothing more can be written. */
  readonly isClosed: boolean;
  /** When something was last written, on the monotonic clock. */
  readonly lastWriteAt: number;
  /** Since when the reader has been full, on the monotonic clock; undefined when it is not. */
  readonly fullSince: number | undefined;
}

export interface SinkOptions {
  readonly outgoing: ServerResponse;
  readonly status?: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly encoding: Encoding | undefined;
  readonly monotonic: () => number;
  readonly onBytes?: (count: number) => void;
}

/** Sends the headers at once: a reader knows that it is connected before the first line. */
export function createSink(options: SinkOptions): Sink {
  const { outgoing, headers, encoding, monotonic, onBytes } = options;
  const encoded = withoutUndefined({ "content-encoding": encoding });
  const vary = [headers.vary, "Accept-Encoding"].filter((name) => name).join(", ");
  outgoing.writeHead(options.status ?? 200, { ...headers, vary, ...encoded });
  outgoing.flushHeaders();
  const { socket } = outgoing;
  socket?.setNoDelay(true);
  const target: Writable = encoding === undefined ? outgoing : createCompressor(encoding);
  if (target !== outgoing) target.pipe(outgoing);
  let isClosed = outgoing.destroyed;
  let isEnding = false;
  let lastWriteAt = monotonic();
  let fullSince: number | undefined;
  const closings = new Set<() => void>();
  const waiting: (() => void)[] = [];
  target.on("drain", () => {
    fullSince = undefined;
    while (fullSince === undefined && waiting.length > 0) waiting.shift()?.();
  });
  outgoing.once("close", () => {
    isClosed = true;
    if (target !== outgoing) target.destroy();
    for (const closed of closings) closed();
    closings.clear();
  });
  // A disconnected reader is not an error of ours; `close` follows.
  outgoing.on("error", () => outgoing.destroy());
  if (target !== outgoing) target.on("error", () => outgoing.destroy());

  return {
    get isClosed() {
      return isClosed || isEnding;
    },
    get lastWriteAt() {
      return lastWriteAt;
    },
    get fullSince() {
      return fullSince;
    },
    write(bytes) {
      if (isClosed || isEnding) return false;
      lastWriteAt = monotonic();
      onBytes?.(bytes.length);
      const hasRoom = target.write(bytes);
      if (!hasRoom) fullSince ??= monotonic();
      return hasRoom;
    },
    onDrain: (drained) => void waiting.push(drained),
    onClose(closed) {
      if (isClosed) closed();
      else closings.add(closed);
      return () => void closings.delete(closed);
    },
    end() {
      // A reader that does not take the rest is stalled like any other.
      fullSince ??= monotonic();
      isEnding = true;
      target.end();
    },
    cut: () => outgoing.destroy(),
  };
}
