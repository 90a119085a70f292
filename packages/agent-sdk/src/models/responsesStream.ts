/**
 * The events of OpenAI's Responses API, or one whole response, as the parts of a language model. Pure but for its
 * own memory. A stream that stops without the end of its response is an error: its calls are never complete.
 */

import type { LanguageModelV3FinishReason, LanguageModelV3Usage } from "@ai-sdk/provider";
import type { JsonObject } from "@callboard/run-log";
import { parsedJson, withoutUndefined } from "@callboard/run-log/values";
import { indexAt, listAt, numberAt, objectAt, objectOf, textAt } from "../utils/jsonFields.js";
import { countedUsage } from "./countedUsage.js";
import { noiseOf } from "./eventNoise.js";
import type { EventReader, PartSink } from "./sseRequest.js";

interface Item {
  readonly type: "message" | "reasoning" | "call";
  readonly id: string;
  readonly name: string;
  /** What was emitted of it so far: text, summary or arguments. */
  said: string;
}

export function createResponsesReader(emit: PartSink): EventReader {
  const items = new Map<number, Item>();
  let calls = 0;
  let isOver = false;
  let isRefusal = false;

  function fail(error: unknown): void {
    isOver = true;
    emit({ type: "error", error });
  }

  function begin(response: JsonObject | undefined): void {
    const modelId = textAt(response, "model");
    const id = textAt(response, "id");
    if (modelId === undefined) return;
    emit({ type: "response-metadata", modelId, ...withoutUndefined({ id }) });
  }

  function open(index: number, item: JsonObject | undefined): Item | undefined {
    const known = items.get(index);
    if (known !== undefined) return known;
    const opened = itemOf(index, item);
    if (opened === undefined) return undefined;
    items.set(index, opened);
    const { id, name } = opened;
    if (opened.type === "message") emit({ type: "text-start", id });
    if (opened.type === "reasoning") emit({ type: "reasoning-start", id });
    if (opened.type === "call") {
      calls += 1;
      emit({ type: "tool-input-start", id, toolName: name });
    }
    return opened;
  }

  function say(item: Item | undefined, delta: string): void {
    if (item === undefined || delta === "") return;
    item.said += delta;
    const { id } = item;
    if (item.type === "message") emit({ type: "text-delta", id, delta });
    if (item.type === "reasoning") emit({ type: "reasoning-delta", id, delta });
    if (item.type === "call") emit({ type: "tool-input-delta", id, delta });
  }

  /** The whole item: what was not streamed of it is emitted now. */
  function close(index: number, whole: JsonObject): void {
    const item = open(index, whole);
    if (item === undefined) return;
    items.delete(index);
    const { id, name: toolName } = item;
    switch (item.type) {
      case "message":
        if (item.said === "") say(item, messageText(whole));
        isRefusal ||= itemContentOf(whole).some((part) => textAt(part, "type") === "refusal");
        emit({ type: "text-end", id });
        break;
      case "reasoning":
        if (item.said === "") say(item, summaryText(whole));
        emit({ type: "reasoning-end", id, ...returned(whole) });
        break;
      case "call":
        emit({ type: "tool-input-end", id });
        emit({
          type: "tool-call",
          toolCallId: id,
          toolName,
          input: textAt(whole, "arguments") ?? item.said,
        });
        break;
      default:
        item.type satisfies never;
    }
  }

  function complete(response: JsonObject | undefined): void {
    const error = objectAt(response, "error");
    if (error !== undefined) {
      fail(errorOf(error));
      return;
    }
    isOver = true;
    const finishReason = responsesFinishOf(response, calls > 0, isRefusal);
    emit({ type: "finish", finishReason, usage: responsesUsage(objectAt(response, "usage")) });
  }

  function whole(response: JsonObject): void {
    begin(response);
    listAt(response, "output").forEach((item, index) => {
      close(index, objectOf(item) ?? {});
    });
    complete(response);
  }

  function event(value: JsonObject): void {
    const index = indexAt(value, "output_index") ?? 0;
    switch (textAt(value, "type")) {
      case "response.created":
        begin(objectAt(value, "response"));
        break;
      case "response.output_item.added":
        open(index, objectAt(value, "item"));
        break;
      case "response.refusal.delta":
        isRefusal = true;
        say(items.get(index), textAt(value, "delta") ?? "");
        break;
      case "response.reasoning_summary_part.added":
        if (items.get(index)?.said) say(items.get(index), "\n\n");
        break;
      case "response.output_text.delta":
      case "response.reasoning_summary_text.delta":
      case "response.reasoning_text.delta":
      case "response.function_call_arguments.delta":
        say(items.get(index), textAt(value, "delta") ?? "");
        break;
      case "response.output_item.done":
        close(index, objectAt(value, "item") ?? {});
        break;
      case "response.completed":
      case "response.incomplete":
      case "response.failed":
        complete(objectAt(value, "response"));
        break;
      case "error":
        fail(objectAt(value, "error") ?? errorOf(value));
        break;
      default:
        if (textAt(value, "object") === "response") whole(value);
        else if (objectAt(value, "error") !== undefined) fail(value.error);
    }
  }

  return {
    event(data) {
      if (isOver || noiseOf(data) || data === "[DONE]") return;
      const value = objectOf(parsedJson(data));
      if (value === undefined) fail(new Error(`an event is not JSON: ${data.slice(0, 200)}`));
      else event(value);
    },
    isComplete: () => isOver,
    end() {
      if (!isOver) fail(new Error("the stream ended before the response was complete"));
    },
  };
}

function errorOf(error: JsonObject): JsonObject {
  return { type: textAt(error, "code") ?? "", message: textAt(error, "message") ?? "" };
}

function itemOf(index: number, item: JsonObject | undefined): Item | undefined {
  const id = `${index}`;
  switch (textAt(item, "type")) {
    case "message":
      return { type: "message", id, name: "", said: "" };
    case "reasoning":
      return { type: "reasoning", id, name: "", said: "" };
    case "function_call":
      return {
        type: "call",
        id: textAt(item, "call_id") || textAt(item, "id") || `call_${index}`,
        name: textAt(item, "name") ?? "",
        said: "",
      };
    default:
      return undefined;
  }
}

function itemContentOf(item: JsonObject): readonly (JsonObject | undefined)[] {
  return listAt(item, "content").map(objectOf);
}

function messageText(item: JsonObject): string {
  return itemContentOf(item)
    .map((part) => textAt(part, "text") ?? textAt(part, "refusal") ?? "")
    .join("");
}

function summaryText(item: JsonObject): string {
  const summary = listAt(item, "summary").map((part) => textAt(objectOf(part), "text") ?? "");
  return summary.join("\n\n");
}

/** The item as it goes back: without what names a stored one. */
function returned(item: JsonObject): object {
  const { encrypted_content, summary = [], content } = item;
  if (typeof encrypted_content !== "string") return {};
  const kept = { type: "reasoning", summary, encrypted_content, ...(content ? { content } : {}) };
  return { providerMetadata: { openai: { item: JSON.parse(JSON.stringify(kept)) } } };
}

function responsesFinishOf(
  response: JsonObject | undefined,
  hasCalls: boolean,
  isRefusal: boolean,
): LanguageModelV3FinishReason {
  if (isRefusal) return { unified: "content-filter", raw: "refusal" };
  const raw =
    textAt(objectAt(response, "incomplete_details"), "reason") ?? textAt(response, "status");
  switch (raw) {
    case "max_output_tokens":
      return { unified: "length", raw };
    case "content_filter":
      return { unified: "content-filter", raw };
    case "failed":
    case "cancelled":
    case "incomplete":
      return { unified: "error", raw };
    default:
      return { unified: hasCalls ? "tool-calls" : "stop", raw };
  }
}

function responsesUsage(usage: JsonObject | undefined): LanguageModelV3Usage {
  const input = numberAt(usage, "input_tokens");
  const output = numberAt(usage, "output_tokens");
  const read = numberAt(objectAt(usage, "input_tokens_details"), "cached_tokens");
  const reasoning = numberAt(objectAt(usage, "output_tokens_details"), "reasoning_tokens");
  return countedUsage({ input, read, output, reasoning }, usage);
}
