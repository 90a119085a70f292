/**
 * `execution_events`: the timeline of one call as it was shown, bounded in number and size. The start and the end are
 * always there; events dropped in the middle are counted. Streamed text is not in it: arguments and output have columns
 * of their own.
 */

import type { ToolEventPayload } from "../http/streamLines.js";
import type { CallState } from "../log/callState.js";
import type { CallEvent } from "../log/events/index.js";
import { boundedJson, boundedText } from "../values/bounded.js";
import { isJsonObject, type JsonObject } from "../values/json.js";
import { nothingShown, type ShownCall, toolEventStep } from "./toolEventPayload.js";

export interface TimelineLimits {
  /** At most this many events, half from the start and half from the end. */
  readonly maxEvents: number;
  /** At most about this many characters in one event's `data`. */
  readonly maxEventChars: number;
}

export interface Timeline {
  readonly head: readonly ToolEventPayload[];
  readonly tail: readonly ToolEventPayload[];
  readonly omitted: number;
  readonly shown: ShownCall;
}

export const emptyTimeline: Timeline = { head: [], tail: [], omitted: 0, shown: nothingShown };

export function timelineAfter(
  timeline: Timeline,
  event: CallEvent,
  call: CallState,
  limits: TimelineLimits,
): Timeline {
  if (isStreamed(event)) return timeline;
  const { payload, shown } = toolEventStep(event, call, timeline.shown);
  if (!payload) return timeline;
  const { maxEventChars } = limits;
  const entry = {
    ...payload,
    message: boundedText(payload.message, maxEventChars),
    data: boundedData(payload.data, maxEventChars),
  };
  const half = Math.max(1, Math.floor(limits.maxEvents / 2));
  if (timeline.head.length < half) return { ...timeline, shown, head: [...timeline.head, entry] };
  const tail = [...timeline.tail, entry];
  if (tail.length <= half) return { ...timeline, shown, tail };
  return { ...timeline, shown, tail: tail.slice(1), omitted: timeline.omitted + 1 };
}

function isStreamed(event: CallEvent): boolean {
  if (event.type === "call.input.delta") return true;
  if (event.type !== "call.run.progressed") return false;
  return event.progress.type === "output" || event.progress.type === "heartbeat";
}

function boundedData(data: JsonObject, maxChars: number): JsonObject {
  const bounded = boundedJson(data, maxChars);
  return isJsonObject(bounded) ? bounded : {};
}

/** The events to store or to replay, with a line for the omitted ones. */
export function timelineEvents(timeline: Timeline): readonly ToolEventPayload[] {
  const last = timeline.head.at(-1);
  if (timeline.omitted === 0 || !last) return [...timeline.head, ...timeline.tail];
  const gap: ToolEventPayload = {
    ...last,
    event: "tool_progress",
    message: `${timeline.omitted} events left out`,
    data: { omitted: timeline.omitted },
  };
  return [...timeline.head, gap, ...timeline.tail];
}
