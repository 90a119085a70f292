/**
 * Anthropic's events, or one whole message, as the parts of a language model. Pure except for its own memory. A stream
 * that stops without a stop reason is an error: an open call is never reported as complete.
 */

import type { LanguageModelV3FinishReason, LanguageModelV3Usage } from "@ai-sdk/provider";
import type { JsonObject } from "@callboard/run-log";
import { parsedJson, withoutUndefined } from "@callboard/run-log/values";
import {
  indexAt,
  listAt,
  numberAt,
  objectAt,
  objectOf,
  rawCounts,
  textAt,
} from "../utils/jsonFields.js";
import { noiseOf } from "./eventNoise.js";
import type { EventReader, PartSink } from "./sseRequest.js";
import { createUniqueIds } from "./uniqueIds.js";

interface Block {
  readonly type: "text" | "reasoning" | "call";
  readonly id: string;
  readonly name: string;
  /** The arguments' text so far. */
  input: string;
  /** Arguments that came with the start of the block. */
  readonly whole: string;
  metadata: Readonly<Record<string, string>> | undefined;
}

export function createAnthropicReader(emit: PartSink): EventReader {
  const blocks = new Map<number, Block>();
  const uniqueId = createUniqueIds();
  let isOver = false;
  let stop: string | undefined;
  let usage: JsonObject = {};

  function fail(error: unknown): void {
    isOver = true;
    emit({ type: "error", error });
  }

  function open(index: number, content: JsonObject): void {
    if (blocks.has(index)) close(index);
    const block = blockOf(index, content);
    if (block === undefined) return;
    const { id } = block;
    blocks.set(index, block);
    if (block.type === "text") emit({ type: "text-start", id });
    if (block.type === "reasoning") emit({ type: "reasoning-start", id });
    if (block.type === "call") emit({ type: "tool-input-start", id, toolName: block.name });
    const text = textAt(content, "text") ?? textAt(content, "thinking") ?? "";
    if (text !== "") say(block, text);
  }

  function blockOf(index: number, content: JsonObject): Block | undefined {
    const block = { id: `${index}`, name: "", input: "", whole: "", metadata: undefined };
    switch (textAt(content, "type")) {
      case "text":
        return { ...block, type: "text" };
      case "thinking": {
        const signature = textAt(content, "signature") ?? "";
        return {
          ...block,
          type: "reasoning",
          metadata: signature === "" ? undefined : { signature },
        };
      }
      case "redacted_thinking":
        return {
          ...block,
          type: "reasoning",
          metadata: { redactedData: textAt(content, "data") ?? "" },
        };
      case "tool_use": {
        const id = uniqueId(textAt(content, "id") || `call_${index}`);
        const input = objectAt(content, "input") ?? {};
        const whole = Object.keys(input).length === 0 ? "" : JSON.stringify(input);
        return { ...block, type: "call", id, name: textAt(content, "name") ?? "", whole };
      }
      default:
        return undefined;
    }
  }

  function say({ type, id }: Block, delta: string): void {
    if (type === "text") emit({ type: "text-delta", id, delta });
    if (type === "reasoning") emit({ type: "reasoning-delta", id, delta });
  }

  function change(index: number, delta: JsonObject): void {
    const block = blocks.get(index);
    if (block === undefined) return;
    switch (textAt(delta, "type")) {
      case "text_delta":
        say(block, textAt(delta, "text") ?? "");
        break;
      case "thinking_delta":
        say(block, textAt(delta, "thinking") ?? "");
        break;
      case "signature_delta":
        block.metadata = { signature: textAt(delta, "signature") ?? "" };
        break;
      case "input_json_delta": {
        const text = textAt(delta, "partial_json") ?? "";
        if (text === "") break;
        block.input += text;
        emit({ type: "tool-input-delta", id: block.id, delta: text });
        break;
      }
      default:
        break;
    }
  }

  function close(index: number): void {
    const block = blocks.get(index);
    if (block === undefined) return;
    blocks.delete(index);
    const { type, id, metadata } = block;
    if (type === "text") emit({ type: "text-end", id });
    if (type === "reasoning") {
      const signed = metadata && { providerMetadata: { anthropic: { ...metadata } } };
      emit({ type: "reasoning-end", id, ...signed });
    }
    if (type === "call") {
      const input = block.input === "" ? block.whole : block.input;
      emit({ type: "tool-input-end", id });
      emit({ type: "tool-call", toolCallId: id, toolName: block.name, input });
    }
  }

  function begin(message: JsonObject | undefined): void {
    const modelId = textAt(message, "model");
    const id = textAt(message, "id");
    if (modelId !== undefined) {
      emit({ type: "response-metadata", modelId, ...withoutUndefined({ id }) });
    }
    count(objectAt(message, "usage"));
  }

  /** Later counts replace earlier ones; a count that is missing or null leaves what is known. */
  function count(more: JsonObject | undefined): void {
    for (const [key, value] of Object.entries(more ?? {})) {
      if (value !== null) usage = { ...usage, [key]: value };
    }
  }

  function complete(): void {
    isOver = true;
    for (const index of [...blocks.keys()]) close(index);
    emit({ type: "finish", finishReason: anthropicFinishOf(stop), usage: anthropicUsage(usage) });
  }

  function whole(message: JsonObject): void {
    begin(message);
    listAt(message, "content").forEach((item, index) => {
      open(index, objectOf(item) ?? {});
      close(index);
    });
    stop = textAt(message, "stop_reason");
  }

  function event(value: JsonObject): void {
    const index = indexAt(value, "index") ?? 0;
    switch (textAt(value, "type")) {
      case "content_block_delta":
        change(index, objectAt(value, "delta") ?? {});
        break;
      case "content_block_start":
        open(index, objectAt(value, "content_block") ?? {});
        break;
      case "content_block_stop":
        close(index);
        break;
      case "message_start":
        begin(objectAt(value, "message"));
        break;
      case "message_delta":
        stop = textAt(objectAt(value, "delta"), "stop_reason") ?? stop;
        count(objectAt(value, "usage"));
        break;
      case "message_stop":
        if (stop !== undefined) complete();
        break;
      case "message":
        whole(value);
        break;
      case "error":
        fail(value.error ?? value);
        break;
      default:
        break;
    }
  }

  return {
    event(data) {
      if (isOver || noiseOf(data)) return;
      const value = objectOf(parsedJson(data));
      if (value === undefined) fail(new Error(`an event is not JSON: ${data.slice(0, 200)}`));
      else event(value);
    },
    isComplete: () => stop !== undefined,
    end() {
      if (isOver) return;
      if (stop === undefined) fail(new Error("the stream ended without a stop reason"));
      else complete();
    },
  };
}

function anthropicFinishOf(raw: string | undefined): LanguageModelV3FinishReason {
  switch (raw) {
    case "end_turn":
    case "stop_sequence":
    case "pause_turn":
      return { unified: "stop", raw };
    case "tool_use":
      return { unified: "tool-calls", raw };
    case "max_tokens":
    case "model_context_window_exceeded":
      return { unified: "length", raw };
    case "refusal":
      return { unified: "content-filter", raw };
    default:
      return { unified: "other", raw };
  }
}

function anthropicUsage(usage: JsonObject): LanguageModelV3Usage {
  const input = numberAt(usage, "input_tokens");
  const output = numberAt(usage, "output_tokens");
  const read = numberAt(usage, "cache_read_input_tokens");
  const written = numberAt(usage, "cache_creation_input_tokens");
  const total = input === undefined ? undefined : input + (read ?? 0) + (written ?? 0);
  return {
    inputTokens: { total, noCache: input, cacheRead: read, cacheWrite: written },
    outputTokens: { total: output, text: undefined, reasoning: undefined },
    raw: rawCounts(usage),
  };
}
