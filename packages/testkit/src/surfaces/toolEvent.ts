/** The HTTP stream: tool calls as V2 `tool_event` with argument text, and as the legacy `tool_update`. */
import { isJsonObject, type JsonValue } from "@callboard/run-log";
import type { AgentStreamEvent } from "@callboard/run-log/http";
import { createToolEventProjection, type ToolEventMemory } from "@callboard/run-log/projections";
import { gathered, type Surface, sortedTexts, without } from "../surface.js";

/** A preview repeats the end of the output, at most 1,000 characters of up to six bytes, and a frame. */
const previewOverhead = 6_400;

export const toolEventSurface: Surface<ToolEventMemory, AgentStreamEvent> = {
  name: "tool-event",
  projection: createToolEventProjection({ streamArguments: true }),
  finalOf: toolEventFinalOf,
  callOf: (line) => (line.event === "tool_event" ? line.data.call_id : undefined),
  isEnd: (line) =>
    line.event === "tool_event" &&
    (line.data.event === "tool_completed" || line.data.event === "tool_error"),
  placelessOf: (line) => without(line, "seq"),
  deltaOverhead: previewOverhead,
};

export const toolUpdateSurface: Surface<ToolEventMemory, AgentStreamEvent> = {
  name: "tool-update",
  projection: createToolEventProjection({ toolEvents: "legacy" }),
  finalOf: toolEventFinalOf,
  callOf: (line) => (line.event === "tool_update" ? line.data.id : undefined),
  isEnd: (line) =>
    line.event === "tool_update" &&
    (line.data.type === "mcp_output" || line.data.type === "mcp_error"),
  placelessOf: (line) => without(line, "seq"),
  deltaOverhead: previewOverhead,
};

function toolEventFinalOf(lines: readonly AgentStreamEvent[]): unknown {
  return {
    characters: sortedTexts(
      lines.flatMap((line) => (line.event === "chunk" ? [...line.data] : [])),
    ),
    lines: gathered(lines, toolEventPieceOf, (line) => without(line, "seq")),
  };
}

/**
 * Streamed arguments and output are hints. A chunk does not say which message it is of, and two may
 * alternate, so of the text only its characters can be compared.
 */
function toolEventPieceOf(line: AgentStreamEvent): { key: string; text: string } | undefined {
  return isHint(line) ? { key: line.event, text: "" } : undefined;
}

function isHint(line: AgentStreamEvent): boolean {
  switch (line.event) {
    case "chunk":
      return true;
    case "tool_event":
      return line.data.data.offset !== undefined;
    case "tool_update":
      return line.data.type === "step_data" && isPiece(line.data.step_data);
    default:
      return false;
  }
}

function isPiece(data: JsonValue): boolean {
  return isJsonObject(data) && data.offset !== undefined;
}
