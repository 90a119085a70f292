/**
 * Events without their secrets, for written logs and exports. The pieces of a text go through one stream, so a split
 * secret is found; text held back at the end is in the closing, which has the whole. Images, ids and provider signatures
 * stay unchanged.
 */
import { type JsonValue, type RunEvent, runEventSchema } from "@callboard/run-log";
import { z } from "zod";
import { type JsonRedaction, redactedJson } from "./redactedJson.js";
import type { TextStage } from "./textStage.js";

export interface EventRedactor {
  /** Events of one or more runs, in the order of their logs. */
  redactEvent(event: RunEvent): RunEvent;
}

/** Fields that the log depends on, or whose bytes must not change. */
const untouched: ReadonlySet<string> = new Set([
  "v",
  "runId",
  "seq",
  "from",
  "at",
  "type",
  "offset",
  "callId",
  "parentCallId",
  "messageId",
  "partId",
  "approvalId",
  "conversationId",
  "parent",
  "toolName",
  "toolType",
  "outcome",
  "image",
  "images",
  "signature",
  "providerData",
  "usage",
]);

const jsonValueSchema: z.ZodType<JsonValue> = z.json();

export function createEventRedactor(
  rules: JsonRedaction,
  createStream: () => TextStage,
): EventRedactor {
  const streams = new Map<string, { readonly stage: TextStage; written: number }>();

  function redactedPiece(key: string, text: string): { offset: number; text: string } {
    const stream = streams.get(key) ?? { stage: createStream(), written: 0 };
    streams.set(key, stream);
    const offset = stream.written;
    const redacted = stream.stage.push(text);
    stream.written += redacted.length;
    return { offset, text: redacted };
  }

  function redactEvent(event: RunEvent): RunEvent {
    const key = streamKeyOf(event);
    switch (event.type) {
      case "text.delta":
      case "reasoning.delta":
      case "call.input.delta":
        return { ...event, ...redactedPiece(key, event.text) };
      case "call.run.progressed":
        if (event.progress.type !== "output") return redactedWhole(event, rules);
        return {
          ...event,
          progress: { ...event.progress, ...redactedPiece(key, event.progress.text) },
        };
      case "call.closed":
      case "call.input.closed":
      case "text.closed":
      case "reasoning.closed":
        streams.delete(key);
        return redactedWhole(event, rules);
      case "run.closed":
        for (const open of [...streams.keys()]) {
          if (open.startsWith(`${event.runId} `)) streams.delete(open);
        }
        return redactedWhole(event, rules);
      case "run.started":
      case "run.parked":
      case "run.resumed":
      case "status.reported":
      case "data.emitted":
      case "error.reported":
      case "usage.reported":
      case "message.opened":
      case "message.closed":
      case "message.queued":
      case "message.requeued":
      case "message.unqueued":
      case "context.compacted":
      case "hook.answered":
      case "image.attached":
      case "call.opened":
      case "call.input.amended":
      case "call.approval.asked":
      case "call.approval.answered":
      case "call.run.started":
        return redactedWhole(event, rules);
      default:
        return event satisfies never;
    }
  }

  return { redactEvent };
}

/** One text of one run: a part, a call's arguments, a call's output. */
function streamKeyOf(event: RunEvent): string {
  if ("partId" in event) return `${event.runId} ${event.messageId} ${event.partId}`;
  if (!("callId" in event)) return "";
  const isInput = event.type === "call.input.delta" || event.type === "call.input.closed";
  return `${event.runId} ${event.callId} ${isInput ? "input" : "output"}`;
}

function redactedWhole(event: RunEvent, rules: JsonRedaction): RunEvent {
  const entries = Object.entries(event).map(([key, value]): [string, unknown] => {
    if (untouched.has(key)) return [key, value];
    return [key, redactedJson(jsonValueSchema.parse(value), rules)];
  });
  return runEventSchema.parse(Object.fromEntries(entries));
}
