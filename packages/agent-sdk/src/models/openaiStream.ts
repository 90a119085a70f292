/**
 * Chat-completions frames, or one whole completion, as the parts of a language model. Pure except for its own memory. A
 * stream that stops without a finish reason is an error: its calls are never reported as complete.
 */

import type { LanguageModelV3FinishReason, LanguageModelV3Usage } from "@ai-sdk/provider";
import { isJsonList, type JsonObject, type JsonValue } from "@callboard/run-log";
import { parsedJson, withoutUndefined } from "@callboard/run-log/values";
import { indexAt, listAt, numberAt, objectAt, objectOf, textAt } from "../utils/jsonFields.js";
import { countedUsage } from "./countedUsage.js";
import { noiseOf } from "./eventNoise.js";
import { createOpenaiCalls } from "./openaiCalls.js";
import { createReasoningDetails } from "./reasoningDetails.js";
import type { EventReader, PartSink, ReaderContext } from "./sseRequest.js";
import { createTextFilter } from "./textFilter.js";

export interface OpenaiReaderOptions {
  /** Whether the server leaves thoughts in the text, between think tags at its start. */
  readonly hasThinkTags: boolean;
}

export function createOpenaiReader(
  emit: PartSink,
  { toolNames }: ReaderContext,
  { hasThinkTags }: OpenaiReaderOptions = { hasThinkTags: true },
): EventReader {
  const calls = createOpenaiCalls(emit, toolNames);
  const filter = createTextFilter({
    text: (text) => say("text", text),
    reasoning: (text) => say("reasoning", text),
    reasoningEnd: () => enter("none"),
  });
  let isOver = false;
  let hasModel = false;
  let open: "none" | "text" | "reasoning" = "none";
  /** Set if the reasoning came in a field in which the provider requires it back. */
  let reasoningField: string | undefined;
  /** Pieces of reasoning that the provider wants back exactly as they came. */
  const reasoningDetails = createReasoningDetails();
  let finish: string | undefined;
  let isRefusal = false;
  let isError = false;
  let usage: JsonObject | undefined;

  function fail(error: unknown): void {
    if (hasThinkTags) filter.flush();
    isOver = true;
    emit({ type: "error", error });
  }

  function enter(kind: typeof open): void {
    if (open === kind) return;
    if (open === "text") emit({ type: "text-end", id: "text" });
    if (open === "reasoning") endReasoning();
    open = kind;
    if (kind === "text") emit({ type: "text-start", id: "text" });
    if (kind === "reasoning") emit({ type: "reasoning-start", id: "reasoning" });
  }

  function endReasoning(): void {
    const details = reasoningDetails.take();
    const wanted = {
      ...withoutUndefined({ reasoningField }),
      ...(details.length === 0 ? {} : { reasoningDetails: details }),
    };
    const isWanted = Object.keys(wanted).length > 0;
    const metadata = isWanted ? { providerMetadata: { openai: wanted } } : {};
    emit({ type: "reasoning-end", id: "reasoning", ...metadata });
  }

  function say(kind: "text" | "reasoning", delta: string): void {
    if (delta === "") return;
    enter(kind);
    if (kind === "text") emit({ type: "text-delta", id: "text", delta });
    else emit({ type: "reasoning-delta", id: "reasoning", delta });
  }

  function sayText(text: string): void {
    if (hasThinkTags) filter.push(text);
    else say("text", text);
  }

  function content(value: JsonValue | undefined): void {
    if (typeof value === "string") sayText(value);
    if (!isJsonList(value)) return;
    for (const item of value) {
      const piece = objectOf(item);
      if (textAt(piece, "type") === "text") sayText(textAt(piece, "text") ?? "");
      for (const thought of listAt(piece, "thinking")) {
        say("reasoning", textAt(objectOf(thought), "text") ?? "");
      }
    }
  }

  function delta(said: JsonObject, isRepeat: boolean): void {
    const returned = textAt(said, "reasoning_content");
    if (returned) reasoningField = "reasoning_content";
    const details = listAt(said, "reasoning_details");
    if (details.length > 0 && !isRepeat) {
      enter("reasoning");
      reasoningDetails.add(details);
    }
    const thought = returned || textAt(said, "reasoning") || reasoningDetails.textOf(details);
    if (thought !== "" && !isRepeat) say("reasoning", thought);
    if (!isRepeat) content(said.content);
    if (typeof said.refusal === "string" && said.refusal !== "") {
      isRefusal = true;
      if (!isRepeat) say("text", said.refusal);
    }
    for (const call of callsIn(said)) {
      if (open === "reasoning") enter("none");
      if (isRepeat) calls.repeat(call);
      else calls.delta(call);
    }
  }

  function frame(value: JsonObject | undefined, data: string): void {
    const error = value === undefined ? new Error(`not JSON: ${data.slice(0, 200)}`) : value.error;
    if (value === undefined || (error !== undefined && error !== null)) {
      fail(error);
      return;
    }
    const model = hasModel ? undefined : textAt(value, "model");
    if (model !== undefined) {
      hasModel = true;
      emit({ type: "response-metadata", modelId: model, ...responseIdOf(value) });
    }
    usage = objectAt(value, "usage") ?? objectAt(objectAt(value, "x_groq"), "usage") ?? usage;
    const choice = firstChoice(value);
    if (choice === undefined) return;
    usage = objectAt(choice, "usage") ?? usage;
    const broken = choice.error;
    if (broken !== undefined && broken !== null) {
      fail(broken);
      return;
    }
    const said = objectAt(choice, "delta");
    const whole = objectAt(choice, "message");
    if (said !== undefined) delta(said, false);
    if (whole !== undefined) delta(whole, open !== "none" || calls.count() > 0);
    const native = textAt(choice, "native_finish_reason");
    const reason = textAt(choice, "finish_reason");
    finish = (reason === "error" ? native : undefined) ?? reason ?? finish;
    isError ||= reason === "error";
  }

  function complete(): void {
    isOver = true;
    if (hasThinkTags) filter.flush();
    enter("none");
    calls.end();
    if (filter.hasLeakedCall() && calls.count() === 0) {
      isError = true;
      finish = "leaked_tool_call";
    }
    const raw = isRefusal ? "refusal" : finish;
    const finishReason = isError
      ? { unified: "error" as const, raw }
      : openaiFinishOf(raw, calls.count() > 0);
    emit({ type: "finish", finishReason, usage: openaiUsage(usage) });
  }

  return {
    event(data) {
      if (isOver || noiseOf(data)) return;
      if (data.trim() === "[DONE]") complete();
      else frame(objectOf(parsedJson(data)), data);
    },
    isComplete: () => finish !== undefined,
    end() {
      if (isOver) return;
      if (finish === undefined) fail(new Error("the stream ended without a finish reason"));
      else complete();
    },
  };
}

/** A provider may send several answers: the first one is meant. */
function firstChoice(value: JsonObject): JsonObject | undefined {
  for (const item of listAt(value, "choices")) {
    const choice = objectOf(item);
    if ((indexAt(choice, "index") ?? 0) === 0) return choice;
  }
  return undefined;
}

/** `function_call` is the older form of a single call. */
function callsIn(said: JsonObject): readonly JsonObject[] {
  const calls = listAt(said, "tool_calls").map((item) => objectOf(item) ?? {});
  const single = objectAt(said, "function_call");
  return single === undefined ? calls : [...calls, { index: 0, function: single }];
}

function responseIdOf(value: JsonObject): { id?: string } {
  const id = textAt(value, "id");
  return withoutUndefined({ id });
}

/** Many servers send `stop` although the model made calls. */
function openaiFinishOf(raw: string | undefined, hasCalls: boolean): LanguageModelV3FinishReason {
  switch (raw) {
    case "length":
    case "error":
      return { unified: raw, raw };
    case "content_filter":
    case "refusal":
      return { unified: "content-filter", raw };
    case "stop":
    case "tool_calls":
    case "function_call":
      return { unified: hasCalls ? "tool-calls" : "stop", raw };
    default:
      return { unified: hasCalls ? "tool-calls" : "other", raw };
  }
}

export function openaiUsage(usage: JsonObject | undefined): LanguageModelV3Usage {
  const input = numberAt(usage, "prompt_tokens");
  const output = numberAt(usage, "completion_tokens");
  const read =
    numberAt(objectAt(usage, "prompt_tokens_details"), "cached_tokens") ??
    numberAt(usage, "prompt_cache_hit_tokens");
  const written = numberAt(objectAt(usage, "prompt_tokens_details"), "cache_write_tokens");
  const reasoning = numberAt(objectAt(usage, "completion_tokens_details"), "reasoning_tokens");
  return countedUsage({ input, read, written, output, reasoning }, usage);
}
