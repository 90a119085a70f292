/** The AI SDK's UI message stream: one chunk a line, neighbouring deltas of one part merged. */
import {
  createProjector,
  createUiMessageProjection,
  type UiMessageChunk,
} from "@callboard/run-log";
import { draftsOf, type LineMaker, type Written } from "../line.js";
import { safeJson } from "../safeJson.js";

export function createUiMessageLines(): LineMaker {
  const projector = createProjector(createUiMessageProjection());
  return {
    push: (event) => draftsOf(event, projector.push(event).map(written)),
  };
}

function written(chunk: UiMessageChunk): Written {
  switch (chunk.type) {
    case "text-delta":
    case "reasoning-delta":
      return {
        delta: { target: `${chunk.type} ${chunk.id}`, text: chunk.delta },
        json: (grown) => safeJson(grown ? { ...chunk, delta: grown.text } : chunk),
      };
    case "tool-input-delta":
      return {
        delta: { target: `${chunk.type} ${chunk.toolCallId}`, text: chunk.inputTextDelta },
        json: (grown) => safeJson(grown ? { ...chunk, inputTextDelta: grown.text } : chunk),
      };
    default:
      return { json: () => safeJson(chunk) };
  }
}
