/**
 * A log at rest: a part that has ended is its closing, which carries the rhythm of its deltas, when and
 * how much, in the place of the deltas themselves. Awakened it is the same log, event for event: a store
 * keeps the one and hands out the other. Deltas that a closing cannot give back exactly stay as they are.
 */
import { inputTextOf } from "./callState.js";
import { LOG_VERSION } from "./events/envelope.js";
import type { EventOf, RunEvent } from "./events/index.js";
import { formatEventLine, isRawEvent, parseEvent } from "./parse.js";
import { type Beat, beatsIn, beatsText } from "./rhythm.js";

export interface Rhythm {
  /** When each delta came and how long it was. */
  readonly beats: string;
  /** What the deltas told, where the closing does not begin with it. */
  readonly text?: string;
}

export interface RestedEvent {
  readonly event: RunEvent;
  readonly rhythm?: Rhythm;
  /** The positions from here up to the event's own are deltas, folded into the closings of their parts. */
  readonly foldedFrom?: number;
}

type PartClosing = EventOf<
  "text.closed" | "reasoning.closed" | "call.input.closed" | "call.closed"
>;

export function isDelta(event: RunEvent): boolean {
  return deltaKeyOf(event) !== undefined;
}

/** The log of a run as it is kept. Costs the log; for a run that has ended. */
export function restedLog(log: readonly RunEvent[]): readonly RestedEvent[] {
  const deltas = new Map<string, RunEvent[]>();
  const folded = new Set<RunEvent>();
  const rhythms = new Map<RunEvent, Rhythm>();
  for (const event of log) {
    const key = deltaKeyOf(event);
    if (key !== undefined) {
      const known = deltas.get(key);
      if (known) known.push(event);
      else deltas.set(key, [event]);
      continue;
    }
    if (!isPartClosing(event)) continue;
    const own = deltas.get(closingKeyOf(event));
    const rhythm = own && rhythmOf(event, own);
    if (own === undefined || rhythm === undefined) continue;
    rhythms.set(event, rhythm);
    for (const delta of own) folded.add(delta);
    deltas.delete(closingKeyOf(event));
  }
  let foldedFrom: number | undefined;
  return log.flatMap((event) => {
    if (folded.has(event)) {
      foldedFrom ??= event.seq;
      return [];
    }
    const rhythm = rhythms.get(event);
    const rested = {
      event,
      ...(rhythm === undefined ? {} : { rhythm }),
      ...(foldedFrom === undefined ? {} : { foldedFrom }),
    };
    foldedFrom = undefined;
    return [rested];
  });
}

/** The log as it was written. Runs that are at rest stand one after the other. */
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
      for (const delta of deltasOf(event, rhythm)) run.push(delta);
    }
    run.push(event);
  }
  endRun();
  return log;
}

/** A text of lines, awakened where it is a log at rest, and as it is where it is anything else. */
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

/** The positions that an event at rest stands for: its own, and those of the deltas in its rhythm. */
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
    const problem = error instanceof Error ? error.message : String(error);
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
    ...(rhythm === undefined ? {} : { rhythm }),
    ...(foldedFrom === undefined ? {} : { foldedFrom }),
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
  const text = rhythm.text ?? textOf(event);
  return length <= text.length ? undefined : "the rhythm is longer than its text";
}

function deltaKeyOf(event: RunEvent): string | undefined {
  switch (event.type) {
    case "text.delta":
    case "reasoning.delta":
      return `part ${event.partId}`;
    case "call.input.delta":
      return `input ${event.callId}`;
    case "call.run.progressed":
      return event.progress.type === "output" ? `output ${event.callId}` : undefined;
    default:
      return undefined;
  }
}

function isPartClosing(event: RunEvent): event is PartClosing {
  const { type } = event;
  return (
    type === "text.closed" ||
    type === "reasoning.closed" ||
    type === "call.input.closed" ||
    type === "call.closed"
  );
}

function closingKeyOf(event: PartClosing): string {
  switch (event.type) {
    case "text.closed":
    case "reasoning.closed":
      return `part ${event.partId}`;
    case "call.input.closed":
      return `input ${event.callId}`;
    case "call.closed":
      return `output ${event.callId}`;
    default:
      return event satisfies never;
  }
}

/** What the closing itself says of the text. */
function textOf(event: PartClosing): string {
  switch (event.type) {
    case "text.closed":
    case "reasoning.closed":
      return event.text;
    case "call.input.closed": {
      const { text } = event;
      if (!event.parsed) return event.text;
      return inputTextOf({
        parsed: true,
        value: event.input,
        ...(text === undefined ? {} : { text }),
      });
    }
    case "call.closed":
      return event.output ?? "";
    default:
      return event satisfies never;
  }
}

/** Absent where the deltas would not come back as they were. */
function rhythmOf(closing: PartClosing, deltas: readonly RunEvent[]): Rhythm | undefined {
  const texts = deltas.map(deltaTextOf);
  const told = texts.join("");
  const beats = beatsText(
    deltas.map(({ seq, at }, index) => ({ seq, at, length: texts[index]?.length ?? 0 })),
    closing,
  );
  if (beats === undefined) return undefined;
  const rhythm = textOf(closing).startsWith(told) ? { beats } : { beats, text: told };
  const again = deltasOf(closing, rhythm);
  const isSame = again.every(
    (delta, index) => JSON.stringify(delta) === JSON.stringify(deltas[index]),
  );
  return isSame && again.length === deltas.length ? rhythm : undefined;
}

function deltaTextOf(event: RunEvent): string {
  if (event.type === "call.run.progressed") {
    return event.progress.type === "output" ? event.progress.text : "";
  }
  return "offset" in event ? event.text : "";
}

function deltasOf(closing: RunEvent, rhythm: Rhythm): readonly RunEvent[] {
  if (!isPartClosing(closing)) return [];
  const text = rhythm.text ?? textOf(closing);
  let offset = 0;
  return (beatsIn(rhythm.beats, closing) ?? []).map((beat) => {
    const piece = text.slice(offset, offset + beat.length);
    const delta = deltaOf(closing, beat, piece, offset);
    offset += beat.length;
    return delta;
  });
}

/** Its keys stand in the order in which the recorder writes them. */
function deltaOf(closing: PartClosing, beat: Beat, text: string, offset: number): RunEvent {
  const { v, runId } = closing;
  const { seq, at } = beat;
  switch (closing.type) {
    case "text.closed":
    case "reasoning.closed": {
      const type = closing.type === "text.closed" ? "text.delta" : "reasoning.delta";
      const { messageId, partId } = closing;
      return { v, runId, seq, at, type, messageId, partId, text, offset };
    }
    case "call.input.closed": {
      const { callId } = closing;
      return { v, runId, seq, at, type: "call.input.delta", callId, text, offset };
    }
    case "call.closed": {
      const { callId } = closing;
      const progress = { type: "output", text, offset } as const;
      return { v, runId, seq, at, type: "call.run.progressed", callId, progress };
    }
    default:
      return closing satisfies never;
  }
}
