/** AG-UI: one event a line, neighbouring deltas of one message or call merged. */

import type { RunEvent } from "@callboard/run-log";
import {
  type AgUiEvent,
  type AgUiMessage,
  createAgUiProjection,
  createAgUiTurnsProjection,
  createProjector,
} from "@callboard/run-log/projections";
import { withoutUndefined } from "@callboard/run-log/values";
import { draftsOf, type LineMaker, type Written } from "../line.js";
import { safeJson } from "../safeJson.js";

/** A stream for the client of one request: it ends if the run waits for an answer, and uses the client's ids of thread and run. */
export interface AgUiTurns {
  readonly threadId: string;
  readonly runId: string;
  readonly parentRunId?: string;
  /** Calls that the client ran: it has their results already, as messages of its own. */
  readonly ownResults: readonly string[];
  /** The client is of AG-UI 0.0, which refuses some words of 1.0. */
  readonly isVersion0: boolean;
  /** The earlier messages of the thread: sent after the start, to a client that has none of it. */
  readonly snapshot?: readonly AgUiMessage[];
  /** The client's own messages without some of them, in the first turn that starts after this position. */
  readonly correction?: { readonly after: number; readonly messages: readonly object[] };
}

export function createAgUiLines(turns?: AgUiTurns): LineMaker {
  if (turns === undefined) {
    const projector = createProjector(createAgUiProjection());
    return { push: (event) => draftsOf(event, projector.push(event).map(agUiWritten)) };
  }
  const { threadId, runId, parentRunId, ownResults, isVersion0, snapshot, correction } = turns;
  const names = { threadId, runId };
  const parent = withoutUndefined({ parentRunId });
  const projector = createProjector(createAgUiTurnsProjection());
  const named = (event: AgUiEvent): AgUiEvent => {
    if (event.type === "RUN_STARTED") return { ...event, ...names, ...parent };
    return "threadId" in event ? { ...event, ...names } : event;
  };
  const isNews = (event: AgUiEvent): boolean =>
    !(event.type === "TOOL_CALL_RESULT" && ownResults.includes(event.toolCallId));
  let corrected = correction?.messages;
  const correctionAt = ({ seq }: RunEvent, first: AgUiLine | undefined): readonly AgUiLine[] => {
    if (first?.type !== "RUN_STARTED" || seq <= (correction?.after ?? 0)) return [];
    const lines = snapshotOf(corrected);
    corrected = undefined;
    return lines;
  };
  return {
    get answering() {
      return projector.memory.idling.answering;
    },
    push(event) {
      const told = projector.push(event).filter(isNews).map(named);
      const [first, ...rest] = isVersion0 ? told.map(inVersion0) : told;
      const lines = [...(first ? [first] : []), ...correctionAt(event, first), ...rest];
      const events = event.type === "run.started" ? [...lines, ...snapshotOf(snapshot)] : lines;
      return draftsOf(event, events.map(agUiWritten), projector.memory);
    },
  };
}

function snapshotOf(messages: readonly object[] | undefined): readonly AgUiLine[] {
  return messages === undefined ? [] : [{ type: "MESSAGES_SNAPSHOT", messages }];
}

/**
 * AG-UI 0.0 knows an outcome of two kinds without further fields, and results that are text. A client finds
 * its own open calls in its messages.
 */
function inVersion0(event: AgUiEvent): AgUiLine {
  switch (event.type) {
    case "RUN_FINISHED": {
      if (event.outcome.type === "interrupt") return event;
      const { outcome: _, ...rest } = event;
      return rest;
    }
    case "TOOL_CALL_RESULT":
      return { ...event, content: resultTextIn(event.content) };
    default:
      return event;
  }
}

function resultTextIn(
  content: Extract<AgUiEvent, { type: "TOOL_CALL_RESULT" }>["content"],
): string {
  if (typeof content === "string") return content;
  return content.map((part) => (part.type === "text" ? part.text : "[image]")).join("\n");
}

type AgUiLine =
  | AgUiEvent
  | { readonly type: "MESSAGES_SNAPSHOT"; readonly messages: readonly object[] }
  | (Omit<Extract<AgUiEvent, { type: "RUN_FINISHED" }>, "outcome"> & {
      readonly type: "RUN_FINISHED";
    });

function agUiWritten(event: AgUiLine): Written {
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
