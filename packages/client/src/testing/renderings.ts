/**
 * A log as a server writes it: the lines of each format with their cursors, deltas merged at random. It follows the
 * rules of the HTTP interface, so that a client that works with it satisfies them.
 */

import { type RunEvent, runId } from "@callboard/run-log";
import type { AgentStreamEvent } from "@callboard/run-log/http";
import {
  createProjector,
  createToolEventProjection,
  type ToolEventOptions,
} from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";

export interface Written {
  readonly seq: number;
  /** Which of its position's lines it is, from 0. */
  readonly index: number;
  readonly isLast: boolean;
  readonly value: object;
}

interface Place {
  readonly seq: number;
  readonly lines: number;
}

export function placeOf(cursor: string | null | undefined): Place {
  const [seq = "0", lines = "0"] = (cursor ?? "0").split(".");
  return { seq: Number(seq), lines: Number(lines) };
}

export function cursorOf({ seq, index, isLast }: Written): string {
  return isLast ? String(seq) : `${seq - 1}.${index + 1}`;
}

export function isAfter({ seq, index }: Written, place: Place): boolean {
  return seq > place.seq + 1 || (seq === place.seq + 1 && index >= place.lines);
}

export function eventLines(
  log: readonly RunEvent[],
  options: ToolEventOptions = {},
): readonly Written[] {
  const projector = createProjector(createToolEventProjection(options));
  return log.flatMap((event) => {
    const lines = projector.push(event);
    return lines.map((value, index) => {
      return { seq: event.seq, index, isLast: index === lines.length - 1, value };
    });
  });
}

export function logLines(log: readonly RunEvent[]): readonly Written[] {
  return log.map((value) => ({ seq: value.seq, index: 0, isLast: true, value }));
}

/** Merges neighbouring deltas of one text where `merges` says so. */
export function mergedLines(lines: readonly Written[], merges: () => boolean): readonly Written[] {
  const merged: Written[] = [];
  for (const line of lines) {
    const before = merged.at(-1);
    const joined = before && isAlone(before) && isAlone(line) && merges() && joinedOf(before, line);
    if (joined) merged[merged.length - 1] = joined;
    else merged.push(line);
  }
  return merged;
}

function isAlone({ index, isLast }: Written): boolean {
  return index === 0 && isLast;
}

function joinedOf(before: Written, line: Written): Written | undefined {
  const value = joinedValue(before.value, line.value);
  return value && { ...line, value };
}

/** Two neighbours as one, where they are deltas of one text. */
function joinedValue(one: object, other: object): object | undefined {
  const first = deltaOf(one);
  const second = deltaOf(other);
  if (!first || !second || first.target !== second.target) return undefined;
  return first.grown(first.text + second.text, second.seq);
}

interface Delta {
  readonly target: string;
  readonly text: string;
  readonly seq: number | undefined;
  readonly grown: (text: string, seq: number | undefined) => object;
}

function deltaOf(value: object): Delta | undefined {
  if (isRunEvent(value)) return logDeltaOf(value);
  return isStreamEvent(value) ? lineDeltaOf(value) : undefined;
}

function isRunEvent(value: object): value is RunEvent {
  return "type" in value && "runId" in value;
}

function isStreamEvent(value: object): value is AgentStreamEvent {
  return "event" in value && "data" in value;
}

function logDeltaOf(event: RunEvent): Delta | undefined {
  switch (event.type) {
    case "text.delta":
    case "reasoning.delta":
    case "call.input.delta": {
      const target = event.type === "call.input.delta" ? event.callId : event.partId;
      return {
        target: `${event.type} ${target}`,
        text: event.text,
        seq: event.seq,
        grown: (text, seq) => ({ ...event, from: event.from ?? event.seq, text, seq }),
      };
    }
    default:
      return undefined;
  }
}

function lineDeltaOf(line: AgentStreamEvent): Delta | undefined {
  const { seq } = line;
  if (line.event === "chunk") {
    return {
      target: "chunk",
      text: line.data,
      seq,
      grown: (data, at) => ({ event: "chunk", data, ...withoutUndefined({ seq: at }) }),
    };
  }
  if (line.event !== "tool_event" || line.data.data.offset === undefined) return undefined;
  const { data: payload } = line;
  const field = "arguments_delta" in payload.data ? "arguments_delta" : "preview";
  const text = payload.data[field];
  if (typeof text !== "string") return undefined;
  return {
    target: `${field} ${payload.call_id}`,
    text,
    seq,
    grown: (whole, at) => ({
      event: "tool_event",
      data: { ...payload, data: { ...payload.data, [field]: whole } },
      ...withoutUndefined({ seq: at }),
    }),
  };
}

/** The same log as another run's. */
export function renamed(log: readonly RunEvent[], name: string): readonly RunEvent[] {
  return log.map((event) => ({ ...event, runId: runId(name) }));
}

/** What is the same however deltas are merged: neighbours of one text as one, without positions. */
export function settledTranscript(values: readonly object[]): readonly object[] {
  const joined: object[] = [];
  for (const value of values) {
    const last = joined.at(-1);
    const both = last && joinedValue(last, value);
    if (both) joined[joined.length - 1] = both;
    else joined.push(value);
  }
  return joined.map(({ ...value }) => {
    if ("seq" in value) delete value.seq;
    return value;
  });
}
