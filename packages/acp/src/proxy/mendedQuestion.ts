/**
 * A question of an agent as the client gets it: as it came, where it is complete. What is missing of
 * its call is added, a status that goes back is left out, and what is too large is cut.
 */
import {
  isJsonList,
  isJsonObject,
  isSameJson,
  type JsonObject,
  type JsonValue,
} from "@callboard/run-log";
import { questionFields } from "@callboard/run-log/projections";
import { boundedContent, sizeOf } from "../updates/contentSizes.js";
import { mayFollow, type SessionUpdate } from "../updates/sessionUpdate.js";

const mostChars = 65_536;

/** What the client has of the call that is asked about. */
export interface ShownCall {
  readonly toolCallId: string;
  readonly fieldOf: (
    field: "status" | "title" | "kind" | "rawInput" | "content",
  ) => JsonValue | undefined;
}

/** The very object that came, where nothing had to be mended. */
export function mendedToolCall(toolCall: JsonObject, shown: ShownCall): JsonObject {
  const { fieldOf } = shown;
  const known = questionFields({
    ...{ title: fieldOf("title"), kind: fieldOf("kind") },
    ...{ rawInput: fieldOf("rawInput"), content: fieldOf("content") },
  });
  const own = Object.entries(toolCall).filter(
    ([field, value]) =>
      value !== null && !(field === "status" && !mayFollow(fieldOf("status"), value)),
  );
  const mended: JsonObject = {
    ...known,
    ...Object.fromEntries(own),
    toolCallId: shown.toolCallId,
  };
  if (isSameJson(mended, toolCall)) return toolCall;
  return sizeOf(mended) <= 2 * mostChars ? mended : bounded(mended);
}

function bounded(toolCall: JsonObject): JsonObject {
  const { rawInput, content } = toolCall;
  const input = isJsonObject(rawInput) ? questionFields({ rawInput }) : {};
  const items = isJsonList(content) ? { content: boundedContent(content, mostChars) } : {};
  return { ...toolCall, ...input, ...items };
}

/** As much of a call as has to be shown before it is asked about; the question says the rest. */
export function openingOf(toolCall: JsonObject, toolCallId: string): SessionUpdate {
  const { title, kind, name } = toolCall;
  return {
    ...{ sessionUpdate: "tool_call", toolCallId, status: "pending" },
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof kind === "string" ? { kind } : {}),
    ...(typeof name === "string" ? { name } : {}),
  };
}
