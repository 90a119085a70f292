/**
 * The facts in a V2 `tool_event` payload. Any server's works: one that sends the arguments with the start, one that
 * never sends `tool_started`, one that omits times.
 */

import { type CallEvent, isJsonObject, type JsonObject, type Progress } from "@callboard/run-log";
import type { ToolEventPayload } from "@callboard/run-log/http";
import { type CallTrack, toolLabel } from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import { openerIn, shownToolIn } from "@callboard/run-log/writing";
import { factOf, inputFact, openedFact, type Stamp, unseen } from "./callFacts.js";
import {
  answeredIn,
  approvalIn,
  closingFields,
  fieldTextAt,
  locationsAt,
  millisecondsAt,
  numberAt,
  outcomeOf,
  parentAt,
  textOfJson,
} from "./jsonFields.js";

/** `track` is the call before the payload. The payload's own time wins over the stamp's. */
export function factsOfToolEvent(
  payload: ToolEventPayload,
  track: CallTrack | undefined,
  { runId, at }: Stamp,
): readonly CallEvent[] {
  const { timestamp } = payload;
  const stamp = { runId, at: timestamp === 0 ? at : Math.round(timestamp * 1_000) };
  const opening = track === undefined ? [openedBy(payload, stamp)] : [];
  return [...opening, ...furtherFacts(payload, track, stamp)];
}

function openedBy(payload: ToolEventPayload, stamp: Stamp): CallEvent {
  const { call_id: callId, tool_name: toolName, data } = payload;
  const title = payload.event === "tool_started" ? ownWords(payload) : undefined;
  return openedFact(
    stamp,
    { callId, toolName },
    {
      ...withoutUndefined({ title }),
      ...openerIn(data.opened_by),
      ...shownToolIn(data),
      ...parentAt(data),
    },
  );
}

/** The message, unless it is the placeholder for none. */
function ownWords({ message, tool_name }: ToolEventPayload): string | undefined {
  return message === toolLabel(tool_name) ? undefined : message;
}

function furtherFacts(
  payload: ToolEventPayload,
  track: CallTrack | undefined,
  stamp: Stamp,
): readonly CallEvent[] {
  const { data, message } = payload;
  switch (payload.event) {
    case "tool_started":
      // Servers that do not stream arguments send them here: then the tool already runs.
      return "arguments" in data ? startedFacts(payload, track, stamp) : [];
    case "tool_progress":
      return progressFacts(payload, track, stamp);
    case "tool_step": {
      const { step: name, ...rest } = data;
      const step = textOfJson(name) || message;
      const told = Object.keys(rest).length === 0 ? { step } : { step, data: rest };
      return whileRunning(payload, track, stamp, { type: "step", ...told });
    }
    case "tool_result_preview":
      return whileRunning(payload, track, stamp, previewIn(data, track));
    case "tool_completed":
    case "tool_error":
      return [closedFact(payload, track, stamp)];
    default:
      return payload.event satisfies never;
  }
}

function progressFacts(
  payload: ToolEventPayload,
  track: CallTrack | undefined,
  stamp: Stamp,
): readonly CallEvent[] {
  const { data, message, call_id } = payload;
  const fact = factOf(stamp, call_id);
  const delta = fieldTextAt(data, "arguments_delta");
  if (delta !== undefined) {
    const before = track?.inputText ?? "";
    const text = unseen(before, delta, numberAt(data, "offset"));
    return [{ ...fact, type: "call.input.delta", offset: before.length, text }];
  }
  const asked = approvalIn(data.approval);
  if (asked) {
    return [{ ...fact, type: "call.approval.asked", ...asked, reason: message }];
  }
  if (isJsonObject(data.approval_answer)) {
    const answered = answeredIn(data.approval_answer);
    return [{ ...fact, type: "call.approval.answered", ...answered }];
  }
  if (data.amended_arguments !== undefined) return amendedFacts(payload, track, stamp);
  if ("arguments" in data) return startedFacts(payload, track, stamp);
  return progressesIn(payload, track).flatMap((progress) =>
    whileRunning(payload, track, stamp, progress),
  );
}

function amendedFacts(
  { data, call_id }: ToolEventPayload,
  track: CallTrack | undefined,
  stamp: Stamp,
): readonly CallEvent[] {
  const { arguments: asked, amended_arguments: input = {} } = data;
  const isKnown = asked === undefined || track?.input !== undefined;
  const amendedBy = fieldTextAt(data, "amended_by") || "user";
  return [
    ...(isKnown ? [] : [inputFact(stamp, call_id, asked)]),
    { ...factOf(stamp, call_id), type: "call.input.amended", input, amendedBy },
  ];
}

/** One payload may contain several facts at once. */
function progressesIn(
  payload: ToolEventPayload,
  track: CallTrack | undefined,
): readonly Progress[] {
  const { data } = payload;
  const message = ownWords(payload);
  if (data.heartbeat === true) {
    const silentMs = numberAt(data, "silent_ms");
    return [{ type: "heartbeat", ...(silentMs === undefined ? {} : { silentMs }) }];
  }
  const told: Progress[] = [];
  const title = fieldTextAt(data, "title");
  const terminalId = fieldTextAt(data, "terminal_id");
  const locations = locationsAt(data);
  const percent = numberAt(data, "percent");
  const retry = isJsonObject(data.retry) ? data.retry : undefined;
  if (title !== undefined) told.push({ type: "title", title });
  if (terminalId !== undefined) told.push({ type: "terminal", terminalId });
  if (locations !== undefined) told.push({ type: "locations", locations });
  if (retry !== undefined) {
    const attempt = numberAt(retry, "attempt") ?? 1;
    told.push({ type: "retry", attempt, reason: fieldTextAt(retry, "reason") ?? payload.message });
  } else if (message !== undefined && title === undefined && !isRepeated(message, told, track)) {
    told.push({ type: "message", message, ...withoutUndefined({ percent }) });
  }
  return told;
}

/** A payload without words of its own repeats those before it. */
function isRepeated(
  message: string,
  told: readonly Progress[],
  track: CallTrack | undefined,
): boolean {
  if (told.length === 0) return false;
  return [track?.message, track?.title, track?.steps.at(-1)?.step].includes(message);
}

function hasRun(track: CallTrack | undefined): boolean {
  return track?.phases.some(({ kind }) => kind === "running") ?? false;
}

/** A tool reports about itself only while it runs. */
function whileRunning(
  { call_id }: ToolEventPayload,
  track: CallTrack | undefined,
  stamp: Stamp,
  progress: Progress,
): readonly CallEvent[] {
  const fact = factOf(stamp, call_id);
  const started: readonly CallEvent[] = hasRun(track)
    ? []
    : [{ ...fact, type: "call.run.started" }];
  return [...started, { ...fact, type: "call.run.progressed", progress }];
}

function startedFacts(
  { data, call_id }: ToolEventPayload,
  track: CallTrack | undefined,
  stamp: Stamp,
): readonly CallEvent[] {
  const { arguments: input } = data;
  const delegatedTo = fieldTextAt(data, "delegated_to");
  const expiresAt = millisecondsAt(data, "expires_at");
  const isKnown = input === undefined || track?.input !== undefined;
  const delegation = {
    ...withoutUndefined({ delegatedTo, expiresAt }),
    ...(data.detached === true ? { detached: true as const } : {}),
  };
  return [
    ...(isKnown ? [] : [inputFact(stamp, call_id, input)]),
    { ...factOf(stamp, call_id), type: "call.run.started", ...delegation },
  ];
}

/** A preview with an offset is a piece of the output; one without replaces the preview before it. */
function previewIn(data: JsonObject, track: CallTrack | undefined): Progress {
  const text = textOfJson(data.preview);
  const offset = numberAt(data, "offset");
  if (offset === undefined) return { type: "preview", text };
  const before = track?.outputText ?? "";
  return { type: "output", offset: before.length, text: unseen(before, text, offset) };
}

function closedFact(
  payload: ToolEventPayload,
  track: CallTrack | undefined,
  stamp: Stamp,
): CallEvent {
  const { data, message, call_id } = payload;
  const closing = {
    ...factOf(stamp, call_id),
    type: "call.closed",
    ...closingFields(data),
  } as const;
  if (payload.event === "tool_completed") {
    const summary = ownWords(payload);
    const output = data.result === undefined ? (track?.outputText ?? "") : textOfJson(data.result);
    return { ...closing, outcome: "ok", output, ...withoutUndefined({ summary }) };
  }
  const errorType = fieldTextAt(data, "error_type") || "error";
  const told = outcomeOf(fieldTextAt(data, "outcome")) ?? outcomeOf(errorType);
  const output = data.output === undefined ? {} : { output: textOfJson(data.output) };
  return {
    ...closing,
    outcome: told === undefined || told === "ok" ? "error" : told,
    errorType,
    message,
    ...output,
  };
}
