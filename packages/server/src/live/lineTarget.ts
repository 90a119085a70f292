/** Where the lines of a run are written: a response of its own, or its share of one for many runs. */
import { closingOf, type Framing, framed, type StreamForm } from "../streams/format.js";
import type { Line } from "../streams/line.js";
import type { Sink } from "../streams/sink.js";

export interface LineTarget {
  readonly isClosed: boolean;
  /** Another writer has filled it: a writer waits for `onDrain` first. */
  readonly isFull: boolean;
  /** In which frames lines may be handed over as bytes; undefined takes lines alone. */
  readonly framing: Framing | undefined;
  /** False when it is full: the next write waits for `onDrain`. */
  write(lines: readonly Line[] | Buffer): boolean;
  onDrain(drained: () => void): void;
  /** The answer takes it back. */
  onClose(closed: () => void): () => void;
  /** The run is over, and everything of it is written. */
  finish(): void;
  /** The next lines are not available: the reader must reconnect. */
  cut(): void;
}

/** A response for one run. */
export function createSinkTarget(sink: Sink, form: StreamForm): LineTarget {
  return {
    get isClosed() {
      return sink.isClosed;
    },
    get isFull() {
      return sink.fullSince !== undefined;
    },
    framing: form.framing,
    write(lines) {
      if (Buffer.isBuffer(lines)) return sink.write(lines);
      return sink.write(lines.map((line) => framed(line, form.framing)).join(""));
    },
    onDrain: sink.onDrain,
    onClose: sink.onClose,
    finish() {
      const closing = closingOf(form);
      if (closing !== "") sink.write(closing);
      sink.end();
    },
    cut: sink.cut,
  };
}
