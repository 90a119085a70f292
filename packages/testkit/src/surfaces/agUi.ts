/** AG-UI 1.0, with the user's messages: texts and arguments grow by deltas, each named by its id. */
import {
  type AgUiEvent,
  type AgUiMemory,
  type AgUiTurnsMemory,
  createAgUiProjection,
  createAgUiTurnsProjection,
} from "@callboard/run-log/projections";
import { gathered, type Surface, without } from "../surface.js";

export const agUiSurface: Surface<AgUiMemory, AgUiEvent> = {
  name: "ag-ui",
  projection: createAgUiProjection({ userMessages: true }),
  finalOf: agUiFinalOf,
  callOf: agUiCallOf,
  isEnd: isAgUiEnd,
};

/** The same in turns: it ends where the run waits for someone. */
export const agUiTurnsSurface: Surface<AgUiTurnsMemory, AgUiEvent> = {
  name: "ag-ui-turns",
  projection: createAgUiTurnsProjection({ userMessages: true }),
  finalOf: agUiFinalOf,
  callOf: agUiCallOf,
  isEnd: isAgUiEnd,
};

function agUiFinalOf(events: readonly AgUiEvent[]): unknown {
  return { inputs: inputsOf(events), rest: gathered(events, agUiPieceOf, withoutInput) };
}

function isAgUiEnd(event: AgUiEvent): boolean {
  return event.type === "TOOL_CALL_RESULT";
}

function agUiCallOf(event: AgUiEvent): string | undefined {
  if ("toolCallId" in event) return event.toolCallId;
  if (event.type !== "CUSTOM" || event.name === "callboard.data") return undefined;
  return "toolCallId" in event.value ? event.value.toolCallId : undefined;
}

/** What a client has for arguments: the pieces, or the whole text where the end corrects them. */
function inputsOf(events: readonly AgUiEvent[]): ReadonlyMap<string, string> {
  const inputs = new Map<string, string>();
  for (const event of events) {
    if (event.type === "TOOL_CALL_ARGS") {
      inputs.set(event.toolCallId, (inputs.get(event.toolCallId) ?? "") + event.delta);
    }
    if (event.type === "TOOL_CALL_END" && event.metadata?.arguments !== undefined) {
      inputs.set(event.toolCallId, event.metadata.arguments);
    }
  }
  return new Map([...inputs].filter(([, text]) => text !== "").sort(byKey));
}

const byKey = ([left]: readonly [string, string], [right]: readonly [string, string]): number =>
  left < right ? -1 : 1;

function withoutInput(event: AgUiEvent): unknown {
  if (event.type !== "TOOL_CALL_END" || event.metadata === undefined) return event;
  const metadata = without(event.metadata, "arguments");
  return Object.keys(metadata).length === 0 ? without(event, "metadata") : { ...event, metadata };
}

const hint = { key: "hints", text: "" };

function agUiPieceOf(event: AgUiEvent): { key: string; text: string } | undefined {
  switch (event.type) {
    case "TEXT_MESSAGE_CONTENT":
    case "REASONING_MESSAGE_CONTENT":
      return { key: `${event.type} ${event.messageId}`, text: event.delta };
    case "TOOL_CALL_ARGS":
      return hint;
    case "CUSTOM":
      return event.name === "callboard.output" ? hint : undefined;
    default:
      return undefined;
  }
}
