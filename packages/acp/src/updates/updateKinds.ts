/** What an update is, by its own fields: how long it may wait, whether it is merged, what it opens. */
import { isJsonList, isJsonObject, type JsonValue } from "@callboard/run-log";
import type { Rhythm } from "./pace.js";
import { isFinal, type SessionUpdate } from "./sessionUpdate.js";

const messageKinds: ReadonlySet<string> = new Set([
  "user_message_chunk",
  "agent_message_chunk",
  "agent_thought_chunk",
]);
/** Updates that replace themselves: of several pending ones only the last counts. All others pass unchanged. */
export const wholeKinds: ReadonlySet<string> = new Set([
  "usage_update",
  "plan",
  "available_commands_update",
  "current_mode_update",
  "config_option_update",
]);

const callKinds: ReadonlySet<string> = new Set(["tool_call", "tool_call_update"]);

/** Whether an update is one that the engine has to look into; all others can pass as they are. */
export function isMended(update: SessionUpdate): boolean {
  return isOfCall(update) || isOfTerminal(update) || isMessage(update);
}

/** An update of a call that the engine can read. Kinds of later versions and calls without an id are not. */
export function isOfCall(update: SessionUpdate): boolean {
  const { sessionUpdate: kind, toolCallId, content } = update;
  if (typeof toolCallId !== "string") return false;
  return callKinds.has(kind) || (kind === "tool_call_content_chunk" && isJsonObject(content));
}

export function isOfTerminal(update: SessionUpdate): boolean {
  const { sessionUpdate: kind, terminalId, data } = update;
  if (typeof terminalId !== "string") return false;
  return kind === "terminal_update" || (kind === "terminal_output_chunk" && isBase64(data));
}

/** Bytes can be joined only if they can be written again as they were. */
function isBase64(data: JsonValue | undefined): boolean {
  return typeof data === "string" && Buffer.from(data, "base64").toString("base64") === data;
}

/** Whether a chunk or a terminal has fields that belong to this update alone. */
export function isSpecial({ sessionUpdate: kind, ...fields }: SessionUpdate): boolean {
  const known = ownFields.get(kind);
  return known !== undefined && Object.keys(fields).some((field) => !known.has(field));
}

const ownFields: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ["tool_call_content_chunk", new Set(["toolCallId", "content"])],
  ["terminal_output_chunk", new Set(["terminalId", "data"])],
  [
    "terminal_update",
    new Set(["terminalId", "command", "cwd", "output", "exitStatus", "size", "capabilities"]),
  ],
]);

/** Words alone, which are joined with the words before them. */
export function isMessage(update: SessionUpdate): boolean {
  return messageKinds.has(update.sessionUpdate) && isPlainChunk(update);
}

/** The content of an update shows that it appends; a call that only replaces waits longer. */
export function rhythmOf({ sessionUpdate, content, status }: SessionUpdate): Rhythm {
  const replaces = sessionUpdate !== "tool_call_content_chunk" && content !== undefined;
  return replaces && !isFinal(status) ? "replace" : "append";
}

/** A chunk with other fields than its text passes unchanged. */
function isPlainChunk({ sessionUpdate: _, messageId: __, content: ___, ...rest }: SessionUpdate) {
  return Object.keys(rest).length === 0;
}

/** A whole call under an id that has ended is another call. */
export function isReopening({ sessionUpdate, status }: SessionUpdate): boolean {
  return sessionUpdate === "tool_call" && !isFinal(status);
}

export function terminalsIn(content: JsonValue | undefined): readonly string[] {
  const items = isJsonList(content) ? content : [];
  return items.flatMap((item) =>
    isJsonObject(item) && item.type === "terminal" ? [requestNameOf(item.terminalId)] : [],
  );
}

export function requestNameOf(id: JsonValue | undefined): string {
  return typeof id === "string" ? id : "";
}
