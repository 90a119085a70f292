/**
 * Folds the deltas of a run into the closings of their parts while the run is written: what a delta costs does not
 * depend on those before it, and of a delta only its beat and its text are kept. Deltas that a closing could not give
 * back exactly are handed out as they were.
 */
import type { RunEvent } from "./events/index.js";
import {
  closingKeyOf,
  closingTextOf,
  deltaKeyOf,
  deltaTextOf,
  deltaTypeOf,
  hasUsualForm,
  isPartClosing,
  nextDeltaOf,
  type PartClosing,
} from "./foldedParts.js";
import { type BeatWriter, beatsIn, createBeatWriter } from "./rhythm.js";

export interface Rhythm {
  /** When each delta came and how long it was. */
  readonly beats: string;
  /** The text of the deltas, if the closing does not start with it. */
  readonly text?: string;
}

/** The deltas that one event represents: by their rhythm, or unchanged. */
export type FoldedDeltas = { readonly firstSeq: number } & (
  | { readonly rhythm: Rhythm; readonly events?: never }
  | { readonly events: readonly RunEvent[]; readonly rhythm?: never }
);

export interface DeltaFolding {
  /**
   * The deltas that the event represents: returned for the closing of a part that had some, and for the end of the run
   * if some are left without a closing.
   */
  push(event: RunEvent): FoldedDeltas | undefined;
}

interface GrowingPart {
  readonly first: RunEvent;
  readonly writer: BeatWriter;
  told: string;
  /** Set once a delta came that no closing could give back: all of the part, in order. */
  events: RunEvent[] | undefined;
}

export function createDeltaFolding(): DeltaFolding {
  const parts = new Map<string, GrowingPart>();

  function add(key: string, delta: RunEvent): void {
    const part = parts.get(key) ?? newPart(delta);
    parts.set(key, part);
    if (part.events === undefined && isTaken(delta, part)) return;
    part.events ??= [...eventsOf(part)];
    part.events.push(delta);
  }

  function endRun(): FoldedDeltas | undefined {
    const events = [...parts.values()].flatMap(eventsOf).sort((one, other) => one.seq - other.seq);
    parts.clear();
    const [first] = events;
    return first && { firstSeq: first.seq, events };
  }

  return {
    push(event) {
      const key = deltaKeyOf(event);
      if (key !== undefined) {
        add(key, event);
        return undefined;
      }
      if (event.type === "run.closed") return endRun();
      if (!isPartClosing(event)) return undefined;
      const part = parts.get(closingKeyOf(event));
      if (part === undefined) return undefined;
      parts.delete(closingKeyOf(event));
      const rhythm = rhythmOf(event, part);
      const firstSeq = part.first.seq;
      return rhythm === undefined ? { firstSeq, events: eventsOf(part) } : { firstSeq, rhythm };
    },
  };
}

function newPart(first: RunEvent): GrowingPart {
  return { first, writer: createBeatWriter(), told: "", events: undefined };
}

/** Whether the closing will be able to give the delta back; it is counted in then. */
function isTaken(delta: RunEvent, part: GrowingPart): boolean {
  const { first, told, writer } = part;
  const text = deltaTextOf(delta);
  const isUsual =
    delta.type === first.type &&
    messageIdOf(delta) === messageIdOf(first) &&
    hasUsualForm(delta, told.length) &&
    writer.push({ seq: delta.seq, at: delta.at, length: text.length });
  if (isUsual) part.told += text;
  return isUsual;
}

function messageIdOf(event: RunEvent): string | undefined {
  return "messageId" in event ? event.messageId : undefined;
}

/** Absent if the deltas could not be restored exactly. */
function rhythmOf(closing: PartClosing, part: GrowingPart): Rhythm | undefined {
  const { first, told, events, writer } = part;
  const isOwn = deltaTypeOf(closing) === first.type && messageIdOf(closing) === messageIdOf(first);
  const beats = events === undefined && isOwn ? writer.text(closing) : undefined;
  if (beats === undefined) return undefined;
  return closingTextOf(closing).startsWith(told) ? { beats } : { beats, text: told };
}

function eventsOf({ first, told, events, writer }: GrowingPart): readonly RunEvent[] {
  if (events !== undefined) return events;
  const place = { seq: first.seq + 1, at: first.at };
  let offset = 0;
  return (beatsIn(writer.text(place) ?? "", place) ?? []).map((beat) => {
    const delta = nextDeltaOf(first, beat, told.slice(offset, offset + beat.length), offset);
    offset += beat.length;
    return delta;
  });
}
