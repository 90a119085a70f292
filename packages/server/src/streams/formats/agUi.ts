/** AG-UI: one event a line, neighbouring deltas of one message or call merged. */
import { type AgUiEvent, createAgUiProjection, createProjector } from "@callboard/run-log";
import { draftsOf, type LineMaker, type Written } from "../line.js";
import { safeJson } from "../safeJson.js";

/** The ids that an AG-UI client gave to its thread and its run. */
export interface AgUiNames {
  readonly threadId: string;
  readonly runId: string;
}

export function createAgUiLines(names?: AgUiNames): LineMaker {
  const projector = createProjector(createAgUiProjection());
  const named = (event: AgUiEvent): AgUiEvent =>
    names !== undefined && "threadId" in event ? { ...event, ...names } : event;
  return {
    push: (event) => draftsOf(event, projector.push(event).map(named).map(written)),
  };
}

function written(event: AgUiEvent): Written {
  switch (event.type) {
    case "TEXT_MESSAGE_CONTENT":
    case "REASONING_MESSAGE_CONTENT":
      return {
        delta: { target: `${event.type} ${event.messageId}`, text: event.delta },
        json: (grown) => safeJson(grown ? { ...event, delta: grown.text } : event),
      };
    case "TOOL_CALL_ARGS":
      return {
        delta: { target: `${event.type} ${event.toolCallId}`, text: event.delta },
        json: (grown) => safeJson(grown ? { ...event, delta: grown.text } : event),
      };
    default:
      return { json: () => safeJson(event) };
  }
}
