/**
 * One output of the program: standard output or standard error. Text is cleaned, lines are painted, values become lines
 * of JSON; there is no other way to write. A writer of much data waits while the reader lags behind (`isFull`). When the
 * pipe is closed, the rest is dropped and `broken` is set.
 */
import type { Writable } from "node:stream";
import { jsonLineOf } from "./jsonLine.js";
import type { Paint } from "./paint.js";
import type { Line } from "./spans.js";
import { createTextCleaner } from "./terminalText.js";

export interface Outlet {
  readonly isTerminal: boolean;
  /** The current width of the terminal; undefined if there is none. */
  readonly columns: number | undefined;
  /** Its current height. */
  readonly rows: number | undefined;
  /** A piece of a foreign text, as it comes. */
  text(piece: string): void;
  /** Ends a text: writes held text, and a newline if the last line lacks one. */
  endText(): void;
  line(line: Line): void;
  json(value: unknown): void;
  /** Whether the reader lags behind: what is written now is kept in memory. */
  readonly isFull: boolean;
  /** Resolves when the reader has caught up or gone, or when waiting is switched off. */
  drained(until: AbortSignal): Promise<void>;
  /** Resolves when everything so far was taken, the reader has gone, or it was left. */
  flushed(): Promise<void>;
  /** From now on no writer waits for the reader. */
  leave(): void;
  /** Aborts when the pipe is closed. */
  readonly broken: AbortSignal;
}

/** A stream of the process, or one of a test. */
export type OutStream = Writable & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

export function createOutlet(stream: OutStream, paint: () => Paint): Outlet {
  const broken = new AbortController();
  const cleaner = createTextCleaner();
  let isAtLineStart = true;
  let waiting = 0;
  let wake: (() => void)[] = [];
  let isLeft = false;

  stream.on("error", (error: Error) => {
    broken.abort(error);
    tellFlushed();
  });

  function tellFlushed(): void {
    if (waiting > 0 && !broken.signal.aborted && !isLeft) return;
    const waked = wake;
    wake = [];
    for (const tell of waked) tell();
  }

  function write(text: string): void {
    if (text === "" || broken.signal.aborted) return;
    isAtLineStart = text.endsWith("\n");
    waiting += 1;
    stream.write(text, () => {
      waiting -= 1;
      tellFlushed();
    });
  }

  const isFull = (): boolean => stream.writableNeedDrain && !broken.signal.aborted;

  function drained(until: AbortSignal): Promise<void> {
    if (!isFull() || until.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const settle = (): void => {
        stream.off("drain", settle);
        broken.signal.removeEventListener("abort", settle);
        until.removeEventListener("abort", settle);
        resolve();
      };
      stream.on("drain", settle);
      broken.signal.addEventListener("abort", settle);
      until.addEventListener("abort", settle);
    });
  }

  function endText(): void {
    write(cleaner.end());
    if (!isAtLineStart) write("\n");
  }

  return {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
    broken: broken.signal,
    get isFull() {
      return isFull();
    },
    drained,
    text: (piece) => write(cleaner.push(piece)),
    endText,
    line(line) {
      endText();
      write(`${paint()(line)}\n`);
    },
    json(value) {
      endText();
      write(`${jsonLineOf(value)}\n`);
    },
    flushed: () =>
      new Promise((resolve) => {
        wake.push(resolve);
        tellFlushed();
      }),
    leave() {
      isLeft = true;
      tellFlushed();
    },
  };
}
