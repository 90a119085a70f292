/**
 * Reads the `/execute` stream: `{ event, data, seq? }` lines, whole or split over the fields of a
 * server-sent event. Tool events are read by `toolEventBody.ts`, the legacy form by `toolUpdate.ts`.
 */
import { type Fields, fieldsOf, numberOf, textOf } from "../../values/fields.js";
import {
  type DialectFacts,
  nothing,
  observed,
  type Reader,
  type Reading,
  remarked,
} from "../observations.js";
import type { Payload } from "../report.js";
import { type Remark, suspicion } from "../rules.js";
import { createSequence } from "../sequence.js";
import { createToolEventBody } from "./toolEventBody.js";
import { createToolUpdateReader } from "./toolUpdate.js";

export const toolEventFacts: DialectFacts = {
  startRequired: false,
  endRequired: true,
  inputIsClosed: false,
};

const streamEvents = [
  "chunk",
  "status_update",
  "data",
  "error",
  "end",
  "tool_event",
  "tool_update",
] as const;
type StreamEvent = (typeof streamEvents)[number];

export function isToolEventLine(value: Fields, eventName?: string): boolean {
  return isStreamEvent(value.event) || isStreamEvent(eventName);
}

export function createToolEventReader(): Reader {
  const sequence = createSequence();
  const body = createToolEventBody();
  const legacy = createToolUpdateReader();
  const unknown = new Set<string>();
  let isCancelled = false;

  const readingOf = (event: StreamEvent, data: unknown): Reading => {
    switch (event) {
      case "chunk":
        return isSpeech(data) ? observed({ type: "model.spoke", scope: "" }) : nothing;
      case "status_update":
      case "data":
        return nothing;
      case "error":
        isCancelled ||= isCancellation(data);
        return nothing;
      case "end": {
        const how = isCancelled || isCancellation(data) ? "cancelled" : "finished";
        return observed({ type: "turn.ended", scope: "", how, excuse: { type: "none" } });
      }
      case "tool_event":
        return body.read(data);
      case "tool_update":
        return legacy.read(data, body.knows);
      default:
        return event satisfies never;
    }
  };

  return {
    read(payload) {
      if (payload.type === "done") return nothing;
      const { event, data, seq } = streamLineOf(payload);
      const label = textOf(event) ?? "(none)";
      const order = sequence.next(seq, label);
      if (isStreamEvent(event)) return withRemarks(readingOf(event, data), order);
      if (unknown.has(label)) return remarked(...order);
      unknown.add(label);
      return remarked(...order, suspicion("unknown-type", `unknown event ${label}`));
    },
    end: () => [],
  };
}

function isStreamEvent(value: unknown): value is StreamEvent {
  return streamEvents.some((event) => event === value);
}

/** A server-sent event may carry the event's name and number outside of its data. */
function streamLineOf(payload: Extract<Payload, { type: "object" }>) {
  const { value, eventName, eventId } = payload;
  const isWhole = eventName === undefined || (value.event === eventName && "data" in value);
  const seq = numberOf(value.seq) ?? numberedId(eventId);
  return isWhole
    ? { event: value.event, data: value.data, seq }
    : { event: eventName, data: value, seq };
}

function numberedId(eventId: string | undefined): number | undefined {
  return eventId !== undefined && /^\d+$/.test(eventId) ? Number(eventId) : undefined;
}

function isSpeech(data: unknown): boolean {
  return (textOf(data) ?? textOf(fieldsOf(data)?.text) ?? "") !== "";
}

function isCancellation(data: unknown): boolean {
  const fields = fieldsOf(data) ?? {};
  const words = [fields.type, fields.error_type, fields.reason];
  return words.some((word) => word === "cancelled" || word === "canceled");
}

function withRemarks(reading: Reading, remarks: readonly Remark[]): Reading {
  return remarks.length === 0 ? reading : { ...reading, remarks: [...remarks, ...reading.remarks] };
}
