/**
 * Chat-completions frames, or one whole completion, as the parts of a language model. Pure but for
 * its own memory. A stream that stops without a finish reason is an error: its calls are never told
 * as complete.
 */
import type { LanguageModelV3FinishReason, LanguageModelV3Usage } from "@ai-sdk/provider";
import { isJsonList, type JsonObject, type JsonValue } from "@callboard/run-log";
import {
  listAt,
  numberAt,
  objectAt,
  objectOf,
  parsedJson,
  rawCounts,
  textAt,
} from "../../utils/jsonFields.js";
import { createOpenaiCalls } from "./openaiCalls.js";
import { createReasoningDetails } from "./reasoningDetails.js";
import type { EventReader, PartSink } from "./sseRequest.js";

export function createOpenaiReader(emit: PartSink): EventReader {
  const calls = createOpenaiCalls(emit);
  let isOver = false;
  let hasModel = false;
  let open: "none" | "text" | "reasoning" = "none";
  /** Set where the reasoning came in a field in which the provider wants it back. */
  let reasoningField: string | undefined;
  /** Pieces of reasoning that the provider wants back exactly as they came. */
  const reasoningDetails = createReasoningDetails();
  let finish: string | undefined;
  let usage: JsonObject | undefined;

  function fail(error: unknown): void {
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
      ...(reasoningField === undefined ? {} : { reasoningField }),
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

  function content(value: JsonValue | undefined): void {
    if (typeof value === "string") say("text", value);
    if (!isJsonList(value)) return;
    for (const item of value) {
      const piece = objectOf(item);
      if (textAt(piece, "type") === "text") say("text", textAt(piece, "text") ?? "");
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
    if (typeof said.refusal === "string" && !isRepeat) say("text", said.refusal);
    for (const item of listAt(said, "tool_calls")) {
      const call = objectOf(item);
      if (call === undefined) continue;
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
      emit({ type: "response-metadata", modelId: model, ...idOf(value) });
    }
    usage = objectAt(value, "usage") ?? usage;
    const choice = objectOf(listAt(value, "choices")[0]);
    if (choice === undefined) return;
    const said = objectAt(choice, "delta");
    const whole = objectAt(choice, "message");
    if (said !== undefined) delta(said, false);
    if (whole !== undefined) delta(whole, open !== "none" || calls.count() > 0);
    finish = textAt(choice, "finish_reason") ?? finish;
  }

  function complete(): void {
    isOver = true;
    enter("none");
    calls.end();
    const finishReason = finishOf(finish, calls.count() > 0);
    emit({ type: "finish", finishReason, usage: openaiUsage(usage) });
  }

  return {
    event(data) {
      if (isOver) return;
      if (data === "[DONE]") complete();
      else frame(objectOf(parsedJson(data)), data);
    },
    end() {
      if (isOver) return;
      if (finish === undefined) fail(new Error("the stream ended without a finish reason"));
      else complete();
    },
  };
}

function idOf(value: JsonObject): { id?: string } {
  const id = textAt(value, "id");
  return id === undefined ? {} : { id };
}

/** Many servers say `stop` where the model made calls. */
function finishOf(raw: string | undefined, hasCalls: boolean): LanguageModelV3FinishReason {
  switch (raw) {
    case "length":
    case "error":
      return { unified: raw, raw };
    case "content_filter":
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
  return {
    inputTokens: {
      total: input,
      noCache: input === undefined ? undefined : input - (read ?? 0),
      cacheRead: read,
      cacheWrite: written,
    },
    outputTokens: {
      total: output,
      text: output === undefined ? undefined : output - (reasoning ?? 0),
      reasoning,
    },
    ...(usage === undefined ? {} : { raw: rawCounts(usage) }),
  };
}
