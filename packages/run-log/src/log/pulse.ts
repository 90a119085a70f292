/**
 * Joins appends to one text that come within a pulse, before the fold, the store and the surfaces. The first append of a
 * text passes at once; after it, at most one passes in each pulse. It has no clock and records nothing: its owner passes
 * the time and records what is released.
 */
import { type Appending, appendKeyOf, appendTextOf, withAppendText } from "./appending.js";

export interface Pulse {
  /** Whether an append to an open text was held. An append that was not held must be recorded now. */
  holds(append: Appending, at: number): boolean;
  /** Notes an append that started its text and was recorded. */
  began(append: Appending, at: number): void;
  /** The held text, one piece for each text. It must be recorded before anything else. */
  release(at: number): readonly Appending[];
  /** When the first held text is due. Absent if nothing is held. */
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
