/**
 * Formats a batch of events as lines, and marks its end. Every line but the last of a batch starts with a space, which
 * JSON ignores: the file stays a plain list of events, one a line. A file that ends after a line with a space ends
 * inside a batch.
 */
import { formatEventLine, type RunEvent } from "@callboard/run-log";
import { formatRestedLine, type RestedEvent } from "@callboard/run-log/writing";

const space = 0x20;

export interface BatchLines {
  readonly text: string;
  /** The bytes of each line, without its newline. */
  readonly lengths: readonly number[];
}

export function batchLinesOf(events: readonly RunEvent[]): BatchLines {
  return batchOf(events.map(formatEventLine));
}

export function restedLinesOf(events: readonly RestedEvent[]): BatchLines {
  return batchOf(events.map(formatRestedLine));
}

function batchOf(events: readonly string[]): BatchLines {
  const last = events.length - 1;
  const lines = events.map((line, index) => (index < last ? ` ${line}` : line));
  return { text: lines.join(""), lengths: lines.map((line) => Buffer.byteLength(line) - 1) };
}

/** Whether more lines of the same batch must follow this one. */
export function isContinued(line: Uint8Array): boolean {
  return line[0] === space;
}
