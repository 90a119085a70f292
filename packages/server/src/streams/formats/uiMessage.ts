/** The AI SDK's UI message stream: one chunk a line, neighbouring deltas of one part merged. */
import {
  createProjector,
  createUiMessageProjection,
  createUiTurnsProjection,
  type UiMessageChunk,
} from "@callboard/run-log/projections";
import { draftsOf, type LineMaker, type Written } from "../line.js";
import { safeJson } from "../safeJson.js";

/** A stream that ends if the run waits for an answer, for a page that sends its answers afterwards. */
export interface UiTurns {
  /** Names of the tools that the page runs. */
  readonly pageTools: readonly string[];
  /** False for `ai` 5, which does not know approvals: they are sent as data parts. */
  readonly hasApprovals: boolean;
}

export function createUiMessageLines(turns?: UiTurns): LineMaker {
  if (turns === undefined) {
    const projector = createProjector(createUiMessageProjection());
    return { push: (event) => draftsOf(event, projector.push(event).map(uiChunkWritten)) };
  }
  const projector = createProjector(createUiTurnsProjection(turns));
  return {
    get answering() {
      return projector.memory.idling.answering;
    },
    push(event) {
      const chunks = projector.push(event);
      const known = turns.hasApprovals ? chunks : chunks.map(withoutApprovals);
      return draftsOf(event, known.map(uiChunkWritten), projector.memory);
    },
  };
}

type Chunk =
  | UiMessageChunk
  | { readonly type: "data-approval-asked"; readonly data: object }
  | {
      readonly type: "tool-output-error";
      readonly toolCallId: string;
      readonly errorText: string;
      readonly dynamic: true;
    };

/** The text of a denied call if the client has no term for a denial. */
export const deniedText = "The call was denied.";

function withoutApprovals(chunk: UiMessageChunk): Chunk {
  switch (chunk.type) {
    case "tool-approval-request": {
      const { type: _, ...data } = chunk;
      return { type: "data-approval-asked", data };
    }
    case "tool-output-denied": {
      const { toolCallId } = chunk;
      return { type: "tool-output-error", toolCallId, errorText: deniedText, dynamic: true };
    }
    default:
      return chunk;
  }
}

function uiChunkWritten(chunk: Chunk): Written {
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
