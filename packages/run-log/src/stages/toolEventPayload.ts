/**
 * The V2 payload for one moment of a call. The stream sends it, and the same shape is stored in `execution_events`, so
 * that a stored call replays as it was shown. A page that replaces what it shows by each payload is always right: every
 * payload has a message, and every preview is complete by itself.
 */

import { toolLabel } from "../calls/toolLabel.js";
import type { ToolEventName, ToolEventPayload } from "../http/streamLines.js";
import { type CallState, runInputOf } from "../log/callState.js";
import type { Progress } from "../log/events/callEvents.js";
import type { CallEvent, EventOf } from "../log/events/index.js";
import type { JsonObject } from "../values/json.js";
import { jsonFields } from "../values/optional.js";

/** What a reader last received of a call. */
export interface ShownCall {
  /** Absent before the first report of the call. */
  readonly message?: string;
  /** The end of its output. */
  readonly outputTail: string;
}

export const nothingShown: ShownCall = { outputTail: "" };

/** How much of the output a preview shows at least, if there is that much. */
export const previewChars = 1_000;

export interface ToolEventStep {
  /** Absent for the moments that this vocabulary has no word for: the end of the arguments. */
  readonly payload: ToolEventPayload | undefined;
  readonly shown: ShownCall;
}

export function toolEventStep(event: CallEvent, call: CallState, before: ShownCall): ToolEventStep {
  const moment = momentOf(event, call, before);
  if (!moment) return { payload: undefined, shown: before };
  const { name, message, data = {}, outputTail = before.outputTail } = moment;
  const last = before.message ?? toolLabel(call.toolName);
  const payload = {
    event: name,
    call_id: call.callId,
    tool_name: call.toolName,
    timestamp: event.at / 1000,
    message: message ?? last,
    show_spinner: name !== "tool_completed" && name !== "tool_error",
    data,
  };
  // A heartbeat means that nothing is new: the last text stays.
  const isHeartbeat = event.type === "call.run.progressed" && event.progress.type === "heartbeat";
  return { payload, shown: { message: isHeartbeat ? last : payload.message, outputTail } };
}

function secondsOf(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

interface Moment {
  readonly name: ToolEventName;
  readonly message?: string;
  readonly data?: JsonObject;
  readonly outputTail?: string;
}

function momentOf(event: CallEvent, call: CallState, before: ShownCall): Moment | undefined {
  switch (event.type) {
    case "call.opened": {
      const message = event.title ?? toolLabel(event.toolName);
      const { parentCallId: parent_call_id, openedBy: opened_by, kind, display } = event;
      const data = jsonFields({ parent_call_id, opened_by, kind, display });
      return { name: "tool_started", message, data };
    }
    case "call.input.delta": {
      const { text: arguments_delta, offset } = event;
      return { name: "tool_progress", data: { arguments_delta, offset } };
    }
    case "call.input.closed":
      return undefined;
    case "call.input.amended": {
      const { input: amended_arguments, amendedBy: amended_by } = event;
      const asked = "input" in call && call.input?.parsed ? call.input.value : undefined;
      const data = jsonFields({ arguments: asked, amended_arguments, amended_by });
      return { name: "tool_progress", message: `Arguments changed by ${amended_by}`, data };
    }
    case "call.approval.asked": {
      const options = event.options.map(({ optionId: option_id, ...option }) => {
        return jsonFields({ option_id, ...option });
      });
      const expires_at = secondsOf(event.expiresAt);
      const approval = jsonFields({ approval_id: event.approvalId, options, expires_at });
      const message = event.reason ?? "Waiting for approval";
      return { name: "tool_progress", message, data: { approval } };
    }
    case "call.approval.answered": {
      const { approvalId: approval_id, allowed, answeredBy: answered_by, rule } = event;
      const approval_answer = jsonFields({ approval_id, allowed, answered_by, rule });
      const message = event.message ?? (allowed ? "Approved" : "Denied");
      return { name: "tool_progress", message, data: { approval_answer } };
    }
    case "call.run.started": {
      const input = runInputOf(call);
      const { delegatedTo: delegated_to, detached } = event;
      const expires_at = secondsOf(event.expiresAt);
      const data = jsonFields({ arguments: input, delegated_to, expires_at, detached });
      return { name: "tool_progress", message: toolLabel(call.toolName), data };
    }
    case "call.run.progressed":
      return progressMoment(event.progress, before);
    case "call.closed":
      return closingMoment(event, call);
    default:
      return event satisfies never;
  }
}

function progressMoment(progress: Progress, { outputTail }: ShownCall): Moment {
  const name = "tool_progress";
  switch (progress.type) {
    case "message":
      return { name, message: progress.message, data: jsonFields({ percent: progress.percent }) };
    case "step": {
      const { step } = progress;
      const { step: _, ...data } = progress.data ?? {};
      return { name: "tool_step", message: step, data: { step, ...data } };
    }
    case "preview":
      return { name: "tool_result_preview", data: { preview: progress.text } };
    case "output":
      return outputMoment(progress, outputTail);
    case "heartbeat":
      return {
        ...{ name, message: stillRunning(progress.silentMs) },
        data: jsonFields({ heartbeat: true, silent_ms: progress.silentMs }),
      };
    case "title":
      return { name, message: progress.title, data: { title: progress.title } };
    case "locations":
      return { name, data: jsonFields({ locations: progress.locations }) };
    case "terminal":
      return { name, data: { terminal_id: progress.terminalId } };
    case "retry": {
      const { attempt, reason } = progress;
      return { name, message: `Trying again: ${reason}`, data: { retry: { attempt, reason } } };
    }
    default:
      return progress satisfies never;
  }
}

/**
 * The end of the output so far: all of it while it is short, later the last `previewChars`, and never
 * less than the new piece. So a reader may replace what it shows, and one that appends finds by `offset`
 * what it has not seen; a piece costs its own length and a constant.
 */
function outputMoment(
  { text, offset }: Extract<Progress, { type: "output" }>,
  outputTail: string,
): Moment {
  const known = outputTail + text;
  const from = Math.min(outputTail.length, Math.max(0, known.length - previewChars));
  const preview = known.slice(isLowSurrogate(known, from) ? from - 1 : from);
  const data = { preview, offset: offset + text.length - preview.length };
  return { name: "tool_result_preview", data, outputTail: tailOf(preview) };
}

function tailOf(preview: string): string {
  const from = Math.max(0, preview.length - previewChars);
  return preview.slice(isLowSurrogate(preview, from) ? from + 1 : from);
}

/** Whether a cut at this place would go through a character. */
function isLowSurrogate(text: string, index: number): boolean {
  if (index === 0) return false;
  const unit = text.charCodeAt(index);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function closingMoment(event: EventOf<"call.closed">, call: CallState): Moment {
  const durations =
    call.status === "closed" ? { duration_ms: call.ranMs, waited_ms: call.waitedMs } : {};
  const shared = jsonFields({
    ...durations,
    images: event.images,
    diffs: event.diffs,
    exit_code: event.exitCode,
    persist_key: event.persistKey,
    file_path: event.filePath,
  });
  if (event.outcome === "ok") {
    const { output: result, outputType: output_type } = event;
    const message = event.summary ?? toolLabel(call.toolName);
    return {
      name: "tool_completed",
      message,
      data: jsonFields({ result, output_type, ...shared }),
    };
  }
  const { errorType: error_type, outcome, output, message } = event;
  const data = jsonFields({ error_type, outcome, output, ...shared });
  return { name: "tool_error", message, data };
}

/** The legacy dialect has no other place for the silence of a tool. */
function stillRunning(silentMs: number | undefined): string {
  if (silentMs === undefined) return "Still running";
  return `Still running, silent for ${Math.round(silentMs / 1_000)} s`;
}
