/**
 * The only vocabulary inside: one schema, types inferred from it, nothing written twice.
 * Events are past facts. They cross HTTP, disk and PostgreSQL in exactly this shape.
 */
import * as z from "zod/mini";
import * as call from "./callEvents.js";
import * as context from "./contextEvents.js";
import * as hook from "./hookEvents.js";
import * as message from "./messageEvents.js";
import * as queue from "./queueEvents.js";
import * as run from "./runEvents.js";

/** The schema of all events. */
export const runEventSchema = z.discriminatedUnion("type", [
  run.runStartedSchema,
  run.runClosedSchema,
  run.runParkedSchema,
  run.runResumedSchema,
  run.statusReportedSchema,
  run.dataEmittedSchema,
  run.errorReportedSchema,
  run.usageReportedSchema,
  message.messageOpenedSchema,
  message.messageClosedSchema,
  message.textDeltaSchema,
  message.textClosedSchema,
  message.reasoningDeltaSchema,
  message.reasoningClosedSchema,
  message.imageAttachedSchema,
  queue.messageQueuedSchema,
  queue.messageRequeuedSchema,
  queue.messageUnqueuedSchema,
  context.contextCompactedSchema,
  hook.hookAnsweredSchema,
  call.callOpenedSchema,
  call.callInputDeltaSchema,
  call.callInputClosedSchema,
  call.callInputAmendedSchema,
  call.callApprovalAskedSchema,
  call.callApprovalAnsweredSchema,
  call.callRunStartedSchema,
  call.callRunProgressedSchema,
  call.callClosedSchema,
]);

/** `Readonly` over each member of a union. */
type EachReadonly<Union> = Union extends unknown ? Readonly<Union> : never;

/** One event of a log: a fact about a run, with its position and its time. */
export type RunEvent = EachReadonly<z.infer<typeof runEventSchema>>;
/** The type of an event, for example `call.opened`. */
export type RunEventType = RunEvent["type"];
/** The event of one type: `EventOf<"call.closed">`. */
export type EventOf<Type extends RunEventType> = Extract<RunEvent, { type: Type }>;

/** The events of a call. */
export type CallEvent = Extract<RunEvent, { type: `call.${string}` }>;

/** Whether an event belongs to a call. */
export function isCallEvent(event: RunEvent): event is CallEvent {
  return "callId" in event;
}
