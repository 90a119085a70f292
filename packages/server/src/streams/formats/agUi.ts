/** AG-UI: one event a line, neighbouring deltas of one message or call merged. */
import {
  type AgUiEvent,
  createAgUiProjection,
  createAgUiTurnsProjection,
  createProjector,
} from "@callboard/run-log";
import { draftsOf, type LineMaker, type Written } from "../line.js";
import { safeJson } from "../safeJson.js";

/**
 * A stream for the client of one request: it ends where the run waits for someone, and speaks of thread and
 * run by the ids that the client gave them.
 */
export interface AgUiTurns {
  readonly threadId: string;
  readonly runId: string;
  readonly parentRunId?: string;
  /** Calls that the client ran: it has their results already, as messages of its own. */
  readonly ownResults: readonly string[];
}

export function createAgUiLines(turns?: AgUiTurns): LineMaker {
  if (turns === undefined) {
    const projector = createProjector(createAgUiProjection());
    return { push: (event) => draftsOf(event, projector.push(event).map(written)) };
  }
  const { threadId, runId, parentRunId, ownResults } = turns;
  const names = { threadId, runId };
  const parent = parentRunId === undefined ? {} : { parentRunId };
  const projector = createProjector(createAgUiTurnsProjection());
  const named = (event: AgUiEvent): AgUiEvent => {
    if (event.type === "RUN_STARTED") return { ...event, ...names, ...parent };
    return "threadId" in event ? { ...event, ...names } : event;
  };
  const isNews = (event: AgUiEvent): boolean =>
    !(event.type === "TOOL_CALL_RESULT" && ownResults.includes(event.toolCallId));
  return {
    push(event) {
      const events = projector.push(event).filter(isNews).map(named);
      return draftsOf(event, events.map(written), projector.memory.isPaused);
    },
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
