/** The frames of each provider's stream, as small makers, for scripts of the provider server. */

import type { JsonObject, JsonValue } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import type { Step } from "./providerServer.js";

function chunk(choice: JsonObject, more: JsonObject = {}): Step {
  return {
    frame: { id: "chatcmpl-1", model: "test-model", choices: [{ index: 0, ...choice }], ...more },
  };
}

function openaiCall(
  index: number | undefined,
  id: string | undefined,
  fields: JsonObject,
): JsonObject {
  return {
    ...withoutUndefined({ index }),
    ...(id === undefined ? {} : { id, type: "function" }),
    function: fields,
  };
}

export const openai = {
  delta: (delta: JsonObject) => chunk({ delta, finish_reason: null }),
  text: (content: string) => chunk({ delta: { content }, finish_reason: null }),
  reasoning: (text: string) => chunk({ delta: { reasoning_content: text }, finish_reason: null }),
  calls: (...calls: readonly JsonObject[]) =>
    chunk({ delta: { tool_calls: calls }, finish_reason: null }),
  call: openaiCall,
  start: (index: number, id: string, name: string) =>
    chunk({
      delta: { tool_calls: [openaiCall(index, id, { name, arguments: "" })] },
      finish_reason: null,
    }),
  input: (index: number, text: string) =>
    chunk({
      delta: { tool_calls: [openaiCall(index, undefined, { arguments: text })] },
      finish_reason: null,
    }),
  finish: (reason: string) => chunk({ delta: {}, finish_reason: reason }),
  usage: (usage: JsonObject): Step => {
    return { frame: { id: "chatcmpl-1", model: "test-model", choices: [], usage } };
  },
  error: (error: JsonValue): Step => ({ frame: { error } }),
} as const;

function block(index: number, content: JsonObject): Step {
  return { frame: { type: "content_block_start", index, content_block: content } };
}

function delta(index: number, fields: JsonObject): Step {
  return { frame: { type: "content_block_delta", index, delta: fields } };
}

export const anthropic = {
  begin: (usage: JsonObject = { input_tokens: 10, output_tokens: 1 }): Step => {
    const message = { id: "msg_1", type: "message", role: "assistant", model: "test-model" };
    return { frame: { type: "message_start", message: { ...message, content: [], usage } } };
  },
  block,
  delta,
  stop: (index: number): Step => ({ frame: { type: "content_block_stop", index } }),
  startText: (index: number) => block(index, { type: "text", text: "" }),
  text: (index: number, text: string) => delta(index, { type: "text_delta", text }),
  startThinking: (index: number) => block(index, { type: "thinking", thinking: "", signature: "" }),
  thinking: (index: number, thinking: string) => delta(index, { type: "thinking_delta", thinking }),
  signature: (index: number, signature: string) =>
    delta(index, { type: "signature_delta", signature }),
  startCall: (index: number, id: string, name: string, input: JsonObject = {}) =>
    block(index, { type: "tool_use", id, name, input }),
  input: (index: number, text: string) =>
    delta(index, { type: "input_json_delta", partial_json: text }),
  end: (reason: string, usage: JsonObject = { output_tokens: 5 }): readonly Step[] => [
    {
      frame: { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage },
    },
    { frame: { type: "message_stop" } },
  ],
  error: (type: string, message: string): Step => {
    return { frame: { type: "error", error: { type, message } } };
  },
} as const;

function candidate(parts: readonly JsonObject[], more: JsonObject): Step {
  return { frame: { candidates: [{ content: { role: "model", parts }, index: 0 }], ...more } };
}

export const google = {
  text: (text: string) => candidate([{ text }], {}),
  thought: (text: string) => candidate([{ text, thought: true }], {}),
  call: (name: string, args: JsonObject, id?: string) =>
    candidate([{ functionCall: { name, args, ...withoutUndefined({ id }) } }], {}),
  calls: (...calls: readonly JsonObject[]) =>
    candidate(
      calls.map((functionCall) => ({ functionCall })),
      {},
    ),
  finish: (finishReason: string, usage?: JsonObject): Step => {
    const last = { content: { role: "model", parts: [{ text: "" }] }, finishReason, index: 0 };
    return {
      frame: { candidates: [last], ...withoutUndefined({ usageMetadata: usage }) },
    };
  },
  error: (code: number, message: string, status: string): Step => {
    return { frame: { error: { code, message, status } } };
  },
} as const;
