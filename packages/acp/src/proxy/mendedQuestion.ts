/**
 * A question of an agent in the form for the client: unchanged if it is complete. Missing fields of its call are added,
 * a status that goes back is omitted, and large values are cut.
 */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { questionFields } from "@callboard/run-log/projections";
import { isSameJson } from "@callboard/run-log/values";
import { hunkedItems } from "../updates/boundedDiffs.js";
import { boundedContent, sizeOf } from "../updates/contentSizes.js";
import { mayFollow, type SessionUpdate } from "../updates/sessionUpdate.js";

const mostChars = 65_536;

/** What the client has of the call in the question. */
export interface ShownCall {
  readonly toolCallId: string;
  readonly fieldOf: (
    field: "status" | "title" | "kind" | "rawInput" | "content",
  ) => JsonValue | undefined;
}

/** The same object if nothing had to be changed. */
export function mendedToolCall(toolCall: JsonObject, shown: ShownCall): JsonObject {
  const { fieldOf } = shown;
  const known = questionFields({
    ...{ title: fieldOf("title"), kind: fieldOf("kind") },
    ...{ rawInput: fieldOf("rawInput"), content: shortContent(fieldOf("content")) },
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

/** What changes, by its hunks where the whole files are too long for a question. */
function shortContent(content: JsonValue | undefined): JsonValue | undefined {
  const isShort = questionFields({ content }).content !== undefined;
  return isShort || !isJsonList(content) ? content : content.flatMap(hunkedItems);
}

function bounded(toolCall: JsonObject): JsonObject {
  const { rawInput, content } = toolCall;
  const input = isJsonObject(rawInput) ? questionFields({ rawInput }) : {};
  const items = isJsonList(content) ? { content: boundedContent(content, mostChars) } : {};
  return { ...toolCall, ...input, ...items };
}

/** The fields of a call that must be shown before its question; the question contains the rest. */
export function askedCallOpening(toolCall: JsonObject, toolCallId: string): SessionUpdate {
  const { title, kind, name } = toolCall;
  return {
    ...{ sessionUpdate: "tool_call", toolCallId, status: "pending" },
    ...(typeof title === "string" ? { title } : {}),
    ...(typeof kind === "string" ? { kind } : {}),
    ...(typeof name === "string" ? { name } : {}),
  };
}
