/**
 * Merges neighbouring deltas of one text to at most so many lines a second. The first delta after a silence is sent at
 * once; later ones within the window are held and sent together. Everything that is not a delta is sent at once, after
 * the held text. A merged text is read once, when it is sent.
 */
import type { Clock } from "@callboard/agent-sdk";
import { type Draft, type Line, numberedLineOf } from "./line.js";

export interface Merger {
  push(draft: Draft): void;
  /** Releases the held lines. */
  flush(): void;
  /** Ends the timer and drops the held lines. */
  close(): void;
}

export interface MergerOptions {
  /** 0 merges nothing; infinite: held lines wait for `flush`. */
  readonly windowMs: number;
  readonly clock: Clock;
  readonly emit: (line: Line) => void;
}

interface Held {
  readonly first: Draft;
  readonly target: string;
  text: string;
  seq: number;
}

const maxHeldChars = 65_536;

export function createMerger({ windowMs, clock, emit }: MergerOptions): Merger {
  const closing = new AbortController();
  let held: Held | undefined;
  let isWindowOpen = windowMs === Number.POSITIVE_INFINITY;

  function flush(): void {
    if (held === undefined) return;
    const { first, text, seq } = held;
    held = undefined;
    const json = first.json({ text, seq });
    emit({ seq, from: first.seq, index: 0, isLast: true, json });
  }

  async function window(): Promise<void> {
    isWindowOpen = true;
    for (let isBusy = true; isBusy; ) {
      await clock.sleep(windowMs, closing.signal);
      isBusy = held !== undefined && !closing.signal.aborted;
      flush();
    }
    isWindowOpen = false;
  }

  return {
    flush,
    push(draft) {
      const { delta } = draft;
      if (delta === undefined || windowMs === 0) {
        flush();
        emit(numberedLineOf(draft));
        return;
      }
      if (held !== undefined && held.target !== delta.target) flush();
      if (held !== undefined) {
        held.text += delta.text;
        held.seq = draft.seq;
        if (held.text.length >= maxHeldChars) flush();
        return;
      }
      if (isWindowOpen) {
        held = { first: draft, target: delta.target, text: delta.text, seq: draft.seq };
        return;
      }
      emit(numberedLineOf(draft));
      void window();
    },
    close() {
      flush();
      closing.abort();
    },
  };
}
