/**
 * The V2 payload that tells one moment of a call. The stream sends it, and the same shape is kept
 * in `execution_events`, so that a stored call replays as it was shown.
 */
import type { CallState } from "./callState.js";
import type { Progress } from "./events/callEvents.js";
import type { CallEvent, EventOf } from "./events/index.js";
import type { JsonObject } from "./json.js";
import { jsonFields } from "./optional.js";
import { toolLabel } from "./toolLabel.js";

export type ToolEventName =
  | "tool_started"
  | "tool_progress"
  | "tool_step"
  | "tool_result_preview"
  | "tool_completed"
  | "tool_error";

export interface ToolEventPayload {
  readonly event: ToolEventName;
  readonly call_id: string;
  readonly tool_name: string;
  /** Unix seconds with a fraction. */
  readonly timestamp: number;
  readonly message?: string;
  readonly show_spinner: boolean;
  readonly data: JsonObject;
}

/** Absent for the moments that this vocabulary has no word for: the end of the arguments. */
export function toolEventPayload(event: CallEvent, call: CallState): ToolEventPayload | undefined {
  const moment = momentOf(event, call);
  if (!moment) return undefined;
  const { name, message, data = {} } = moment;
  return {
    event: name,
    call_id: call.callId,
    tool_name: call.toolName,
    timestamp: event.at / 1000,
    ...(message === undefined ? {} : { message }),
    show_spinner: name !== "tool_completed" && name !== "tool_error",
    data,
  };
}

function secondsOf(milliseconds: number | undefined): number | undefined {
  return milliseconds === undefined ? undefined : milliseconds / 1000;
}

interface Moment {
  readonly name: ToolEventName;
  readonly message?: string;
  readonly data?: JsonObject;
}

function momentOf(event: CallEvent, call: CallState): Moment | undefined {
  switch (event.type) {
    case "call.opened": {
      const message = event.title ?? toolLabel(event.toolName);
      const { parentCallId: parent_call_id, openedBy: opened_by } = event;
      return { name: "tool_started", message, data: jsonFields({ parent_call_id, opened_by }) };
    }
    case "call.input.delta": {
      const { text: arguments_delta, offset } = event;
      return { name: "tool_progress", data: { arguments_delta, offset } };
    }
    case "call.input.closed":
      return undefined;
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
      const input = "input" in call && call.input?.parsed ? call.input.value : undefined;
      const { delegatedTo: delegated_to } = event;
      const expires_at = secondsOf(event.expiresAt);
      const data = jsonFields({ arguments: input, delegated_to, expires_at });
      return { name: "tool_progress", message: toolLabel(call.toolName), data };
    }
    case "call.run.progressed":
      return progressMoment(event.progress);
    case "call.closed":
      return closingMoment(event, call);
    default:
      return event satisfies never;
  }
}

function progressMoment(progress: Progress): Moment {
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
    case "output": {
      const { text: preview, offset } = progress;
      return { name: "tool_result_preview", data: { preview, offset } };
    }
    case "heartbeat":
      return { name, message: "Still running", data: { heartbeat: true } };
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
