/**
 * A client of the Agent Client Protocol as the protocol describes one: it applies updates and keeps
 * what it would show. v1 merges and v2 upserts, so one reading serves both. It judges nothing.
 */

import { isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { jsonListOf } from "@callboard/run-log/values";

export interface AcpClientState {
  readonly calls: ReadonlyMap<string, JsonObject>;
  /** Terminals of the agent's own and of the `_meta` extension: what they printed, how they ended. */
  readonly terminals: ReadonlyMap<string, JsonObject>;
  readonly messages: ReadonlyMap<string, JsonValue>;
  /** Plans, usage, states and whatever else replaces itself, by its kind. */
  readonly others: ReadonlyMap<string, JsonObject>;
}

export interface AcpClient {
  apply(update: JsonObject): void;
  readonly state: AcpClientState;
}

const appendedKeys = ["terminal_output", "terminal_output_delta"] as const;

export function createAcpClient(): AcpClient {
  const calls = new Map<string, JsonObject>();
  const terminals = new Map<string, JsonObject>();
  const messages = new Map<string, JsonValue>();
  const others = new Map<string, JsonObject>();

  function applyCall(id: string, fields: JsonObject): void {
    const { _meta: meta, ...rest } = fields;
    const call = { ...calls.get(id), ...withoutNulls(rest) };
    for (const [key, value] of Object.entries(rest)) if (value === null) delete call[key];
    const { kept, printed } = readMeta(meta);
    for (const { terminalId, text } of printed) print(terminalId, text);
    const exit = isJsonObject(meta) ? meta.terminal_exit : undefined;
    if (isJsonObject(exit) && typeof exit.terminal_id === "string") {
      terminals.set(exit.terminal_id, { ...terminals.get(exit.terminal_id), exit });
    }
    const before = isJsonObject(call._meta) ? call._meta : {};
    calls.set(
      id,
      Object.keys(kept).length === 0 ? call : { ...call, _meta: { ...before, ...kept } },
    );
  }

  function print(terminalId: string, text: string): void {
    const terminal = terminals.get(terminalId);
    terminals.set(terminalId, { ...terminal, output: updateText(terminal?.output) + text });
  }

  return {
    get state() {
      return { calls, terminals, messages, others };
    },
    apply({ sessionUpdate, ...update }) {
      switch (sessionUpdate) {
        case "tool_call":
        case "tool_call_update": {
          const { toolCallId, ...fields } = update;
          return applyCall(updateText(toolCallId), fields);
        }
        case "tool_call_content_chunk": {
          const call = calls.get(updateText(update.toolCallId));
          const content = joinedItems([...jsonListOf(call?.content), update.content ?? null]);
          return void calls.set(updateText(update.toolCallId), { ...call, content });
        }
        case "terminal_output_chunk":
          return print(updateText(update.terminalId), decodedBase64(update.data));
        case "terminal_update": {
          const { terminalId, output, ...fields } = update;
          const snapshot = isJsonObject(output) ? { output: decodedBase64(output.data) } : {};
          const terminal = { ...terminals.get(updateText(terminalId)), ...fields, ...snapshot };
          return void terminals.set(updateText(terminalId), terminal);
        }
        case "user_message_chunk":
        case "agent_message_chunk":
        case "agent_thought_chunk": {
          const key = `${sessionUpdate} ${updateText(update.messageId)}`;
          messages.set(
            key,
            joinedItems([...jsonListOf(messages.get(key)), update.content ?? null]),
          );
          return;
        }
        default:
          return void others.set(updateText(sessionUpdate), update);
      }
    },
  };
}

function readMeta(meta: JsonValue | undefined): {
  readonly kept: JsonObject;
  readonly printed: readonly { readonly terminalId: string; readonly text: string }[];
} {
  if (!isJsonObject(meta)) return { kept: {}, printed: [] };
  const printed = appendedKeys.flatMap((key) => {
    const piece = meta[key];
    if (!isJsonObject(piece)) return [];
    return [{ terminalId: updateText(piece.terminal_id), text: updateText(piece.data) }];
  });
  const kept = Object.entries(meta).filter(
    ([key]) => key !== "terminal_exit" && !appendedKeys.some((appended) => appended === key),
  );
  return { kept: Object.fromEntries(kept), printed };
}

/** Texts that stand side by side are read as one, however they were cut. */
function joinedItems(items: readonly JsonValue[]): readonly JsonValue[] {
  const out: JsonValue[] = [];
  for (const item of items) {
    const last = out.at(-1);
    const [before, after] = [itemWordsOf(last), itemWordsOf(item)];
    if (before === undefined || after === undefined || last === undefined) out.push(item);
    else out[out.length - 1] = withWords(last, before + after);
  }
  return out;
}

function itemWordsOf(item: JsonValue | undefined): string | undefined {
  if (!isJsonObject(item)) return undefined;
  if (item.type === "text") return typeof item.text === "string" ? item.text : undefined;
  return item.type === "content" ? itemWordsOf(item.content) : undefined;
}

function withWords(item: JsonValue, text: string): JsonValue {
  if (!isJsonObject(item)) return item;
  return item.type === "text"
    ? { ...item, text }
    : { ...item, content: withWords(item.content ?? null, text) };
}

function withoutNulls(fields: JsonObject): Record<string, JsonValue> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
}

function decodedBase64(data: JsonValue | undefined): string {
  return Buffer.from(updateText(data), "base64").toString("utf8");
}

function updateText(value: JsonValue | undefined): string {
  return typeof value === "string" ? value : "";
}
