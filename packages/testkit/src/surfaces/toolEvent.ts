/** The HTTP stream, with tool calls as V2 `tool_event` and with argument text. */
import {
  type AgentStreamEvent,
  createToolEventProjection,
  type ToolEventMemory,
} from "@callboard/run-log";
import { gathered, type Surface, sorted, without } from "../surface.js";

export const toolEventSurface: Surface<ToolEventMemory, AgentStreamEvent> = {
  name: "tool-event",
  projection: createToolEventProjection({ streamArguments: true }),
  finalOf: (lines) => ({
    characters: sorted(lines.flatMap((line) => (line.event === "chunk" ? [...line.data] : []))),
    lines: gathered(lines, pieceOf, (line) => without(line, "seq")),
  }),
  callOf: (line) => (line.event === "tool_event" ? line.data.call_id : undefined),
  isEnd: (line) =>
    line.event === "tool_event" &&
    (line.data.event === "tool_completed" || line.data.event === "tool_error"),
  placelessOf: (line) => without(line, "seq"),
};

/**
 * Streamed arguments and output are hints. A chunk does not say which message it is of, and two may
 * alternate, so of the text only its characters can be compared.
 */
function pieceOf(line: AgentStreamEvent): { key: string; text: string } | undefined {
  const isHint =
    line.event === "chunk" || (line.event === "tool_event" && line.data.data.offset !== undefined);
  return isHint ? { key: line.event, text: "" } : undefined;
}
