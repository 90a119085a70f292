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

/** Whether an update is one that the engine has to look into; all others can pass as they are. */
export function isMended(update: SessionUpdate): boolean {
  const { sessionUpdate: kind } = update;
  return /^(?:tool_call|terminal_)/.test(kind) || isMessage(update);
}

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
