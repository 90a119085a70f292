/** The AI SDK's UI message stream: one assistant message whose parts grow by deltas. */
import {
  createUiMessageProjection,
  createUiTurnsProjection,
  type UiMessageChunk,
  type UiMessageMemory,
  type UiTurnsMemory,
} from "@callboard/run-log/projections";
import { gathered, type Surface } from "../surface.js";

export const uiMessageSurface: Surface<UiMessageMemory, UiMessageChunk> = {
  name: "ui-message",
  projection: createUiMessageProjection(),
  finalOf: (chunks) => gathered(chunks, uiPieceOf),
  callOf: uiCallOf,
  isEnd: isUiEnd,
};

/** The same in turns: it ends where the run waits for someone, and says at which position. */
export const uiTurnsSurface: Surface<UiTurnsMemory, UiMessageChunk> = {
  name: "ui-turns",
  projection: createUiTurnsProjection(),
  finalOf: (chunks) => gathered(chunks, uiPieceOf, withoutPosition),
  callOf: uiCallOf,
  isEnd: isUiEnd,
};

function withoutPosition(chunk: UiMessageChunk): unknown {
  const isPosition = chunk.type === "message-metadata" && "waitsAt" in chunk.messageMetadata;
  return isPosition ? { type: chunk.type } : chunk;
}

function uiCallOf(chunk: UiMessageChunk): string | undefined {
  if ("toolCallId" in chunk) return chunk.toolCallId;
  switch (chunk.type) {
    case "data-approval":
    case "data-call-progress":
    case "data-call-output":
    case "data-call-diffs":
    case "data-nested-call":
    case "data-background-call":
      return chunk.data.toolCallId;
    default:
      return undefined;
  }
}

function isUiEnd(chunk: UiMessageChunk): boolean {
  switch (chunk.type) {
    case "tool-output-available":
      return !("preliminary" in chunk);
    case "tool-output-error":
    case "tool-output-denied":
    case "data-background-call":
      return true;
    case "data-nested-call":
      return chunk.data.toolMetadata.outcome !== undefined;
    default:
      return false;
  }
}

/** Arguments and output are sent whole at their end, whatever was streamed before. */
const hint = { key: "hints", text: "" };

function uiPieceOf(chunk: UiMessageChunk): { key: string; text: string } | undefined {
  switch (chunk.type) {
    case "text-delta":
    case "reasoning-delta":
      return { key: `${chunk.type} ${chunk.id}`, text: chunk.delta };
    case "tool-output-available":
      return "preliminary" in chunk ? hint : undefined;
    case "tool-input-delta":
    case "data-call-output":
    case "data-nested-text-delta":
      return hint;
    default:
      return undefined;
  }
}
