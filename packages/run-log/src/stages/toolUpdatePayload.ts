/** The legacy payload, for front ends that have not moved to `tool_event` yet. */

import type { ToolEventPayload, ToolUpdatePayload } from "../http/streamLines.js";
import type { CallEvent } from "../log/events/index.js";

type Identity = Pick<ToolUpdatePayload, "id" | "tool_name">;

/**
 * The same moment in the old words. Absent for what the old vocabulary has no words for: argument text, and
 * progress that has no words of its own.
 */
export function toolUpdatePayload(
  event: CallEvent,
  payload: ToolEventPayload,
): ToolUpdatePayload | undefined {
  if (event.type === "call.input.delta" || isWordless(event)) return undefined;
  const identity = { id: payload.call_id, tool_name: payload.tool_name };
  return event.type === "call.run.started"
    ? { ...identity, type: "mcp_input", mcp_input: payload.data.arguments ?? {} }
    : updateOf(identity, payload);
}

function isWordless(event: CallEvent): boolean {
  if (event.type !== "call.run.progressed") return false;
  return event.progress.type === "locations" || event.progress.type === "terminal";
}

function updateOf(identity: Identity, payload: ToolEventPayload): ToolUpdatePayload {
  const { data, message } = payload;
  switch (payload.event) {
    case "tool_started":
    case "tool_progress":
      return { ...identity, type: "user_visible_message", user_visible_message: message };
    case "tool_step":
    case "tool_result_preview":
      return { ...identity, type: "step_data", step_data: data };
    case "tool_completed":
      return { ...identity, type: "mcp_output", mcp_output: data };
    case "tool_error":
      return { ...identity, type: "mcp_error", mcp_error: message };
    default:
      return payload.event satisfies never;
  }
}
