/**
 * Gemini's responses, streamed or whole, as the parts of a language model. Pure but for its own memory. A stream
 * that stops without a finish reason is an error, and so is a prompt that was blocked without one.
 */

import type {
  LanguageModelV3FinishReason,
  LanguageModelV3Usage,
  SharedV3ProviderMetadata,
} from "@ai-sdk/provider";
import { isJsonList, type JsonObject } from "@callboard/run-log";
import { parsedJson } from "@callboard/run-log/values";
import { listAt, numberAt, objectAt, objectOf, rawCounts, textAt } from "../utils/jsonFields.js";
import { noiseOf } from "./eventNoise.js";
import type { EventReader, PartSink } from "./sseRequest.js";

export function createGoogleReader(emit: PartSink): EventReader {
  let isOver = false;
  let hasModel = false;
  let open: "none" | "text" | "reasoning" = "none";
  let block = 0;
  let calls = 0;
  let finish: string | undefined;
  let usage: JsonObject | undefined;

  function fail(error: unknown): void {
    isOver = true;
    emit({ type: "error", error });
  }

  function enter(kind: typeof open): void {
    if (open === kind) return;
    const id = `${block}`;
    if (open === "text") emit({ type: "text-end", id });
    if (open === "reasoning") emit({ type: "reasoning-end", id });
    open = kind;
    if (kind === "none") return;
    block += 1;
    const next = `${block}`;
    emit(
      kind === "text" ? { type: "text-start", id: next } : { type: "reasoning-start", id: next },
    );
  }

  function say(kind: "text" | "reasoning", delta: string, signed: Signed): void {
    if (delta === "" && signed.providerMetadata === undefined) return;
    enter(kind);
    const id = `${block}`;
    emit(
      kind === "text"
        ? { type: "text-delta", id, delta, ...signed }
        : { type: "reasoning-delta", id, delta, ...signed },
    );
  }

  function call(called: JsonObject, signed: Signed): void {
    enter("none");
    const id = textAt(called, "id") || `call_${calls}`;
    calls += 1;
    const toolName = textAt(called, "name") ?? "";
    const input = JSON.stringify(called.args ?? {});
    emit({ type: "tool-input-start", id, toolName, ...signed });
    emit({ type: "tool-input-delta", id, delta: input });
    emit({ type: "tool-input-end", id });
    emit({ type: "tool-call", toolCallId: id, toolName, input, ...signed });
  }

  function part(value: JsonObject): void {
    const signed = signedBy(textAt(value, "thoughtSignature"));
    const text = textAt(value, "text");
    if (text !== undefined) say(value.thought === true ? "reasoning" : "text", text, signed);
    const called = objectAt(value, "functionCall");
    if (called !== undefined) call(called, signed);
    const file = objectAt(value, "inlineData");
    const data = textAt(file, "data");
    if (data === undefined) return;
    enter("none");
    emit({ type: "file", mediaType: textAt(file, "mimeType") ?? "image/png", data });
  }

  function frame(value: JsonObject): void {
    const error = value.error;
    if (error !== undefined && error !== null) {
      fail(error);
      return;
    }
    const modelId = hasModel ? undefined : textAt(value, "modelVersion");
    if (modelId !== undefined) {
      hasModel = true;
      emit({ type: "response-metadata", modelId });
    }
    usage = objectAt(value, "usageMetadata") ?? usage;
    const candidate = objectOf(listAt(value, "candidates")[0]);
    for (const item of listAt(objectAt(candidate, "content"), "parts")) part(objectOf(item) ?? {});
    finish = textAt(candidate, "finishReason") ?? finish;
    const blocked = textAt(objectAt(value, "promptFeedback"), "blockReason");
    if (blocked !== undefined && candidate === undefined) finish = `prompt_blocked: ${blocked}`;
  }

  return {
    event(data) {
      if (isOver || noiseOf(data)) return;
      const value = parsedJson(data);
      const frames = isJsonList(value) ? value : [value];
      for (const one of frames) {
        const object = objectOf(one);
        if (object === undefined) fail(new Error(`an event is not JSON: ${data.slice(0, 200)}`));
        else frame(object);
        if (isOver) return;
      }
    },
    isComplete: () => finish !== undefined,
    end() {
      if (isOver) return;
      if (finish === undefined) {
        fail(new Error("the stream ended without a finish reason"));
        return;
      }
      isOver = true;
      enter("none");
      emit({
        type: "finish",
        finishReason: googleFinishOf(finish, calls > 0),
        usage: googleUsage(usage),
      });
    },
  };
}

interface Signed {
  readonly providerMetadata?: SharedV3ProviderMetadata;
}

function signedBy(thoughtSignature: string | undefined): Signed {
  if (thoughtSignature === undefined) return {};
  return { providerMetadata: { google: { thoughtSignature } } };
}

function googleFinishOf(raw: string, hasCalls: boolean): LanguageModelV3FinishReason {
  if (raw.startsWith("prompt_blocked")) return { unified: "content-filter", raw };
  switch (raw) {
    case "STOP":
      return { unified: hasCalls ? "tool-calls" : "stop", raw };
    case "MAX_TOKENS":
      return { unified: "length", raw };
    case "SAFETY":
    case "RECITATION":
    case "BLOCKLIST":
    case "PROHIBITED_CONTENT":
    case "SPII":
    case "IMAGE_SAFETY":
    case "IMAGE_PROHIBITED_CONTENT":
      return { unified: "content-filter", raw };
    case "MALFORMED_FUNCTION_CALL":
    case "UNEXPECTED_TOOL_CALL":
    case "TOO_MANY_TOOL_CALLS":
    case "MISSING_THOUGHT_SIGNATURE":
      return { unified: "error", raw };
    default:
      return { unified: "other", raw };
  }
}

function googleUsage(usage: JsonObject | undefined): LanguageModelV3Usage {
  const input = numberAt(usage, "promptTokenCount");
  const read = numberAt(usage, "cachedContentTokenCount");
  const spoken = numberAt(usage, "candidatesTokenCount");
  const reasoning = numberAt(usage, "thoughtsTokenCount");
  const output =
    spoken === undefined && reasoning === undefined ? undefined : (spoken ?? 0) + (reasoning ?? 0);
  return {
    inputTokens: {
      total: input,
      noCache: input === undefined ? undefined : input - (read ?? 0),
      cacheRead: read,
      cacheWrite: undefined,
    },
    outputTokens: { total: output, text: spoken, reasoning },
    ...(usage === undefined ? {} : { raw: rawCounts(usage) }),
  };
}
