/**
 * A log at rest: a part that has ended is its closing, which carries the rhythm of its deltas, when and
 * how much, instead of the deltas themselves. Awakened it is the same log, event for event: a store
 * keeps the one and hands out the other. Deltas that a closing cannot give back exactly stay as they are.
 */

import { messageOfError } from "../values/errorMessage.js";
import { withoutUndefined } from "../values/optional.js";
import { createDeltaFolding, type Rhythm } from "./deltaFolding.js";
import { LOG_VERSION } from "./events/envelope.js";
import type { RunEvent } from "./events/index.js";
import { closingTextOf, deltaKeyOf, isPartClosing, unfoldedDeltaOf } from "./foldedParts.js";
import { formatEventLine, isRawEvent, parseEvent } from "./parse.js";
import { beatsIn } from "./rhythm.js";

export interface RestedEvent {
  readonly event: RunEvent;
  readonly rhythm?: Rhythm;
  /** The positions from here up to the event's own are deltas, folded into the closings of their parts. */
  readonly foldedFrom?: number;
}

export function isDelta(event: RunEvent): boolean {
  return deltaKeyOf(event) !== undefined;
}

/** The log of a run as it is kept. Costs the log; for a run that has ended. */
export function restedLog(log: readonly RunEvent[]): readonly RestedEvent[] {
  const folding = createDeltaFolding();
  const rhythms = new Map<RunEvent, Rhythm>();
  const folded = new Set<number>();
  for (const event of log) {
    const rhythm = folding.push(event)?.rhythm;
    if (rhythm === undefined) continue;
    rhythms.set(event, rhythm);
    for (const { seq } of beatsIn(rhythm.beats, event) ?? []) folded.add(seq);
  }
  let foldedFrom: number | undefined;
  return log.flatMap((event) => {
    if (folded.has(event.seq)) {
      foldedFrom ??= event.seq;
      return [];
    }
    const rhythm = rhythms.get(event);
    const rested = {
      event,
      ...withoutUndefined({ rhythm, foldedFrom }),
    };
    foldedFrom = undefined;
    return [rested];
  });
}

/** The log as it was written. Runs at rest follow one another. */
export function awakenedLog(rested: readonly RestedEvent[]): readonly RunEvent[] {
  const log: RunEvent[] = [];
  let run: RunEvent[] = [];
  let isRested = false;
  const endRun = (): void => {
    if (isRested) run.sort((one, other) => one.seq - other.seq);
    for (const event of run) log.push(event);
    run = [];
    isRested = false;
  };
  for (const { event, rhythm } of rested) {
    if (run[0] !== undefined && run[0].runId !== event.runId) endRun();
    if (rhythm !== undefined) {
      isRested = true;
      for (const delta of deltasBetween({ event, rhythm }, 0, event.seq)) run.push(delta);
    }
    run.push(event);
  }
  endRun();
  return log;
}

/** A text of lines, restored if it is a log at rest, otherwise unchanged. */
export function awakenedText(text: string): string {
  if (!text.includes('"rhythm":')) return text;
  const rested: RestedEvent[] = [];
  for (const line of text.split("\n")) {
    if (line.trim() === "") continue;
    const parsed = parseRestedLine(line);
    if (parsed.status === "malformed") return text;
    rested.push(parsed.rested);
  }
  return awakenedLog(rested).map(formatEventLine).join("");
}

/** The positions that an event at rest represents: its own, and those of the deltas in its rhythm. */
export function seqsOf({ event, rhythm }: RestedEvent): readonly number[] {
  if (rhythm === undefined) return [event.seq];
  return [...(beatsIn(rhythm.beats, event) ?? []).map(({ seq }) => seq), event.seq];
}

export function formatRestedLine({ event, rhythm, foldedFrom }: RestedEvent): string {
  return `${JSON.stringify({ ...event, v: LOG_VERSION, foldedFrom, rhythm })}\n`;
}

export type ParsedRestedEvent =
  | { readonly status: "parsed"; readonly rested: RestedEvent }
  | { readonly status: "malformed"; readonly problem: string };

/** One line of a log at rest. A line of a log that is not at rest is one too. */
export function parseRestedLine(line: string): ParsedRestedEvent {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    const problem = messageOfError(error);
    return { status: "malformed", problem: `not JSON: ${problem}` };
  }
  return parseRestedEvent(value);
}

export function parseRestedEvent(value: unknown): ParsedRestedEvent {
  if (!isRawEvent(value) || !("rhythm" in value || "foldedFrom" in value)) {
    const parsed = parseEvent(value);
    if (parsed.status === "malformed") return parsed;
    return { status: "parsed", rested: { event: parsed.event } };
  }
  const { rhythm, foldedFrom, ...rest } = value;
  const parsed = parseEvent(rest);
  if (parsed.status === "malformed") return parsed;
  const { event } = parsed;
  if (rhythm !== undefined && !isRhythm(rhythm)) return malformed("rhythm must have beats");
  if (foldedFrom !== undefined && !isPosition(foldedFrom, event.seq)) {
    return malformed("foldedFrom must be a position before the event's own");
  }
  const problem = rhythm && rhythmProblemOf(event, rhythm);
  if (problem !== undefined) return malformed(problem);
  const rested = {
    event,
    ...withoutUndefined({ rhythm, foldedFrom }),
  };
  return { status: "parsed", rested };
}

function malformed(problem: string): ParsedRestedEvent {
  return { status: "malformed", problem };
}

function isPosition(value: unknown, before: number): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value < before;
}

function isRhythm(value: unknown): value is Rhythm {
  return (
    isRawEvent(value) &&
    typeof value.beats === "string" &&
    (value.text === undefined || typeof value.text === "string")
  );
}

function rhythmProblemOf(event: RunEvent, rhythm: Rhythm): string | undefined {
  if (!isPartClosing(event)) return `rhythm belongs to a closing, not to ${event.type}`;
  const beats = beatsIn(rhythm.beats, event);
  if (beats === undefined) return "the beats of the rhythm cannot be read";
  const length = beats.reduce((sum, beat) => sum + beat.length, 0);
  const text = rhythm.text ?? closingTextOf(event);
  return length <= text.length ? undefined : "the rhythm is longer than its text";
}

/** The deltas of a closing at positions after `after` and up to `upTo`. */
export function deltasBetween(
  { event, rhythm }: RestedEvent,
  after: number,
  upTo: number,
): readonly RunEvent[] {
  if (rhythm === undefined || !isPartClosing(event)) return [];
  const text = rhythm.text ?? closingTextOf(event);
  const deltas: RunEvent[] = [];
  let offset = 0;
  for (const beat of beatsIn(rhythm.beats, event) ?? []) {
    if (beat.seq > upTo) break;
    const end = offset + beat.length;
    if (beat.seq > after)
      deltas.push(unfoldedDeltaOf(event, beat, text.slice(offset, end), offset));
    offset = end;
  }
  return deltas;
}
