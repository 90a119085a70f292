/**
 * The stream's own format: `{ event, data, seq }`. The text of an answer is merged, and so are arguments and output of a
 * call, whose offsets contain their position.
 */
import type { AgentStreamEvent, ToolEventPayload } from "@callboard/run-log/http";
import {
  createProjector,
  createToolEventProjection,
  type ToolEventOptions,
} from "@callboard/run-log/projections";
import { draftsOf, type LineMaker, type Written } from "../line.js";
import { safeJson } from "../safeJson.js";

export function createEventLines(options: ToolEventOptions): LineMaker {
  const projector = createProjector(createToolEventProjection(options));
  return {
    push: (event) => draftsOf(event, projector.push(event).map(streamEventWritten)),
  };
}

function streamEventWritten(line: AgentStreamEvent): Written {
  switch (line.event) {
    case "chunk":
      return {
        delta: { target: "chunk", text: line.data },
        json: (grown) =>
          safeJson(grown ? { event: "chunk", data: grown.text, seq: grown.seq } : line),
      };
    case "tool_event":
      return writtenCall(line, line.data);
    case "tool_update":
    case "status_update":
    case "data":
    case "error":
    case "end":
      return { json: () => safeJson(line) };
    default:
      return line satisfies never;
  }
}

function writtenCall(line: AgentStreamEvent, payload: ToolEventPayload): Written {
  const { data, call_id } = payload;
  const field = "arguments_delta" in data ? "arguments_delta" : "preview";
  const text = data[field];
  // A preview without an offset replaces the one before it.
  if (typeof text !== "string" || data.offset === undefined) return { json: () => safeJson(line) };
  return {
    delta: { target: `${field} ${call_id}`, text },
    json: (grown) => {
      if (!grown) return safeJson(line);
      const whole = { ...payload, data: { ...data, [field]: grown.text } };
      return safeJson({ event: "tool_event", data: whole, seq: grown.seq });
    },
  };
}
