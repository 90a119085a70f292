/**
 * The parts of a run that grow by deltas: which delta belongs to which closing, what a closing contains of the text, and
 * how the recorder writes a delta.
 */
import { withoutUndefined } from "../values/optional.js";
import { inputTextOf } from "./callState.js";
import type { EventOf, RunEvent } from "./events/index.js";
import type { Beat } from "./rhythm.js";

export type PartClosing = EventOf<
  "text.closed" | "reasoning.closed" | "call.input.closed" | "call.closed"
>;

/** Names the part that a delta belongs to; undefined for any other event. */
export function deltaKeyOf(event: RunEvent): string | undefined {
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

export function isPartClosing(event: RunEvent): event is PartClosing {
  const { type } = event;
  return (
    type === "text.closed" ||
    type === "reasoning.closed" ||
    type === "call.input.closed" ||
    type === "call.closed"
  );
}

export function closingKeyOf(event: PartClosing): string {
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

/** The part of the text that the closing itself contains. */
export function closingTextOf(event: PartClosing): string {
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
        ...withoutUndefined({ text }),
      });
    }
    case "call.closed":
      return event.output ?? "";
    default:
      return event satisfies never;
  }
}

export function deltaTextOf(event: RunEvent): string {
  if (event.type === "call.run.progressed") {
    return event.progress.type === "output" ? event.progress.text : "";
  }
  return "offset" in event ? event.text : "";
}

/** Which deltas a closing ends. */
export function deltaTypeOf(closing: PartClosing): RunEvent["type"] {
  switch (closing.type) {
    case "text.closed":
      return "text.delta";
    case "reasoning.closed":
      return "reasoning.delta";
    case "call.input.closed":
      return "call.input.delta";
    case "call.closed":
      return "call.run.progressed";
    default:
      return closing satisfies never;
  }
}

/** Its keys have the order in which the recorder writes them. */
export function unfoldedDeltaOf(
  closing: PartClosing,
  beat: Beat,
  text: string,
  offset: number,
): RunEvent {
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

const usualKeys: Readonly<Record<string, string>> = {
  "text.delta": "v,runId,seq,at,type,messageId,partId,text,offset",
  "reasoning.delta": "v,runId,seq,at,type,messageId,partId,text,offset",
  "call.input.delta": "v,runId,seq,at,type,callId,text,offset",
  "call.run.progressed": "v,runId,seq,at,type,callId,progress",
};

/** Whether `deltaOf` restores it exactly, given its text and its offset. */
export function hasUsualForm(delta: RunEvent, offset: number): boolean {
  if (Object.keys(delta).join() !== usualKeys[delta.type]) return false;
  if (delta.type !== "call.run.progressed") return "offset" in delta && delta.offset === offset;
  const { progress } = delta;
  return (
    progress.type === "output" &&
    progress.offset === offset &&
    Object.keys(progress).join() === "type,text,offset"
  );
}

/** Another delta of the same part. */
export function nextDeltaOf(first: RunEvent, beat: Beat, text: string, offset: number): RunEvent {
  const { seq, at } = beat;
  switch (first.type) {
    case "text.delta":
    case "reasoning.delta":
    case "call.input.delta":
      return { ...first, seq, at, text, offset };
    case "call.run.progressed":
      return { ...first, seq, at, progress: { type: "output", text, offset } };
    default:
      return first;
  }
}
