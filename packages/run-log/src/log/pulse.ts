/**
 * Joins appends to one text that come within a pulse, before anything folds, stores or tells them. The
 * first append of a text passes at once; after it, at most one passes in each pulse. It has no clock
 * and records nothing: its owner says what time it is, and records what is released.
 */
import { type Appending, appendKeyOf, appendTextOf, withAppendText } from "./appending.js";

export interface Pulse {
  /** Whether an append to a text under way was held. One that was not held is to be recorded now. */
  holds(append: Appending, at: number): boolean;
  /** Takes note of an append that began its text and was recorded. */
  began(append: Appending, at: number): void;
  /** What was held, each text in one piece. To be recorded before anything else is. */
  release(at: number): readonly Appending[];
  /** When the first of what is held is due. Absent where nothing is held. */
  readonly dueAt: number | undefined;
}

/** About 30 times a second: as often as a screen needs it. */
export const defaultPulseMs = 33;

interface Beat {
  /** When something of the text last passed. */
  at: number;
  held: { readonly first: Appending; text: string } | undefined;
}

/** `pulseMs` 0 holds nothing. */
export function createPulse(pulseMs: number): Pulse {
  const beats = new Map<string, Beat>();
  let dueAt: number | undefined;
  return {
    get dueAt() {
      return dueAt;
    },
    holds(append, at) {
      if (pulseMs <= 0) return false;
      const key = appendKeyOf(append);
      const beat = beats.get(key);
      if (beat?.held !== undefined) {
        beat.held.text += appendTextOf(append);
        return true;
      }
      if (beat !== undefined && at >= beat.at && at - beat.at < pulseMs) {
        beat.held = { first: append, text: appendTextOf(append) };
        dueAt = Math.min(dueAt ?? Number.POSITIVE_INFINITY, beat.at + pulseMs);
        return true;
      }
      beats.set(key, { at, held: undefined });
      return false;
    },
    began(append, at) {
      if (pulseMs > 0) beats.set(appendKeyOf(append), { at, held: undefined });
    },
    release(at) {
      if (beats.size === 0) return [];
      const released: Appending[] = [];
      for (const [key, beat] of beats) {
        const { held } = beat;
        if (held !== undefined) {
          released.push(withAppendText(held.first, held.text));
          beat.held = undefined;
          beat.at = at;
        } else if (at - beat.at >= pulseMs) beats.delete(key);
      }
      dueAt = undefined;
      return released;
    },
  };
}
