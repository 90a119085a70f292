/** The legacy payload, for front ends that have not moved to `tool_event` yet. */
import type { CallState } from "./callState.js";
import type { CallEvent } from "./events/index.js";
import type { JsonValue } from "./json.js";
import { type ToolEventPayload, toolEventPayload } from "./toolEventPayload.js";

interface Identity {
  readonly id: string;
  readonly tool_name: string;
}

export type ToolUpdatePayload = Identity &
  (
    | { readonly type: "user_visible_message"; readonly user_visible_message: string }
    | { readonly type: "mcp_input"; readonly mcp_input: JsonValue }
    | { readonly type: "mcp_output"; readonly mcp_output: JsonValue }
    | { readonly type: "mcp_error"; readonly mcp_error: string }
    | { readonly type: "step_data"; readonly step_data: JsonValue }
  );

/** Absent for what the old vocabulary could not say: argument text, heartbeats, places. */
export function toolUpdatePayload(
  event: CallEvent,
  call: CallState,
): ToolUpdatePayload | undefined {
  const payload = toolEventPayload(event, call);
  if (!payload || event.type === "call.input.delta") return undefined;
  const identity = { id: payload.call_id, tool_name: payload.tool_name };
  return event.type === "call.run.started"
    ? { ...identity, type: "mcp_input", mcp_input: payload.data.arguments ?? {} }
    : updateOf(identity, payload);
}

function updateOf(identity: Identity, payload: ToolEventPayload): ToolUpdatePayload | undefined {
  const { data, message } = payload;
  switch (payload.event) {
    case "tool_started":
    case "tool_progress":
      if (message === undefined) return undefined;
      return { ...identity, type: "user_visible_message", user_visible_message: message };
    case "tool_step":
    case "tool_result_preview":
      return { ...identity, type: "step_data", step_data: data };
    case "tool_completed":
      return { ...identity, type: "mcp_output", mcp_output: data };
    case "tool_error":
      return { ...identity, type: "mcp_error", mcp_error: message ?? "" };
    default:
      return payload.event satisfies never;
  }
}
