/**
 * From what a provider streams to what the loop reads: a small state machine that upholds the
 * guarantees of an answer. Pure but for its own memory: no I/O, no clock. Each part costs its own
 * length; the accumulated text is read once, when a call ends. `callEnd` closes a call's arguments:
 * only the result of a tool that the provider ran itself may still follow.
 */

import type { JsonObject } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { createTextSanitizer } from "@callboard/run-log/writing";
import type { AnswerPart } from "../types/answer.js";
import type { ModelPart, TaggedData } from "../types/model.js";
import { createCallBook } from "./callBook.js";
import { opaqueOf } from "./opaqueData.js";
import { usageOf } from "./usageOf.js";

type ModelFile = Extract<ModelPart, { type: "file" }>;

export interface AnswerReader {
  /** Parts after the finish or the failure are ignored. An `error` part is the caller's to throw. */
  push(part: ModelPart): void;
  /** The answer broke. Open calls end with the problem; nothing is emitted after that. */
  fail(problem: string): void;
  /** Whether any part of an answer has arrived: from then on the request cannot be retried. */
  hasBegun(): boolean;
  hasEnded(): boolean;
}

export function createAnswerReader(emit: (part: AnswerPart) => void): AnswerReader {
  const calls = createCallBook(emit);
  let texts = createTextSanitizer();
  const thoughts = createTextSanitizer();
  let status: "waiting" | "begun" | "ended" = "waiting";
  let isReasoning = false;
  /** The data that the provider requires back with the open reasoning and the open text. The last value counts. */
  let withThought: JsonObject | undefined;
  let withText: JsonObject | undefined;
  let model: string | undefined;

  function reason(text: string): void {
    if (text === "") return;
    isReasoning = true;
    emit({ type: "reasoning", text });
  }

  /** Half a character at its end is kept: reasoning may continue after a call in between. */
  function endReasoning(): void {
    const opaque = withThought;
    if (isReasoning || opaque !== undefined) {
      emit({ type: "reasoningEnd", ...withoutUndefined({ opaque }) });
    }
    isReasoning = false;
    withThought = undefined;
  }

  /** Nothing follows: half a character is never completed. */
  function endLastThought(): void {
    reason(thoughts.rest);
    endReasoning();
  }

  function say(text: string): void {
    if (text !== "") emit({ type: "text", text });
  }

  function endText(): void {
    say(texts.rest);
    texts = createTextSanitizer();
    if (withText !== undefined) emit({ type: "textEnd", opaque: withText });
    withText = undefined;
  }

  function push(part: ModelPart): void {
    if (status === "ended") return;
    switch (part.type) {
      case "text-start":
        withText = opaqueOf(part.providerMetadata) ?? withText;
        return;
      case "text-delta":
        withText = opaqueOf(part.providerMetadata) ?? withText;
        if (part.delta === "") return;
        status = "begun";
        say(texts.push(part.delta));
        return;
      case "text-end":
        withText = opaqueOf(part.providerMetadata) ?? withText;
        endText();
        return;
      case "reasoning-start":
        withThought = opaqueOf(part.providerMetadata) ?? withThought;
        return;
      case "reasoning-delta":
        withThought = opaqueOf(part.providerMetadata) ?? withThought;
        if (part.delta === "") return;
        status = "begun";
        reason(thoughts.push(part.delta));
        return;
      case "reasoning-end":
        withThought = opaqueOf(part.providerMetadata) ?? withThought;
        endReasoning();
        return;
      case "tool-input-start":
        status = "begun";
        calls.start(part.id, part.toolName, opaqueOf(part.providerMetadata));
        return;
      case "tool-input-delta":
        status = "begun";
        calls.input(part.id, part.delta);
        return;
      case "tool-call":
        status = "begun";
        calls.complete(part, opaqueOf(part.providerMetadata));
        return;
      case "tool-result":
        if (part.preliminary === true) return;
        calls.result(part.toolCallId, providerOutputOf(part.result), part.isError === true);
        return;
      case "file": {
        const data = imageDataOf(part.data);
        if (data === undefined || !part.mediaType.startsWith("image/")) return;
        status = "begun";
        emit({ type: "image", image: { data, mediaType: part.mediaType }, ...opaqueIn(part) });
        return;
      }
      case "response-metadata":
        model = part.modelId ?? model;
        return;
      case "finish": {
        endText();
        endLastThought();
        calls.finish(part.finishReason.unified);
        status = "ended";
        const usage = usageOf(part.usage);
        if (usage) emit({ type: "usage", usage, ...withoutUndefined({ model }) });
        const { unified: reason, raw } = part.finishReason;
        emit({ type: "finish", reason, ...(raw === undefined || raw === reason ? {} : { raw }) });
        return;
      }
      case "error":
      case "stream-start":
      case "tool-input-end":
      case "tool-approval-request":
      case "source":
      case "raw":
      case "reasoning-file":
      case "custom":
        return;
      default:
        part satisfies never;
    }
  }

  return {
    push,
    fail(problem) {
      if (status === "ended") return;
      endText();
      endLastThought();
      calls.fail(problem);
      status = "ended";
    },
    hasBegun: () => status !== "waiting",
    hasEnded: () => status === "ended",
  };
}

function opaqueIn({ providerMetadata }: Pick<ModelFile, "providerMetadata">): {
  opaque?: JsonObject;
} {
  const opaque = opaqueOf(providerMetadata);
  return withoutUndefined({ opaque });
}

function providerOutputOf(result: unknown): string {
  return typeof result === "string" ? result : JSON.stringify(result);
}

function imageDataOf(data: string | Uint8Array | TaggedData): string | undefined {
  if (typeof data === "string") return data;
  if (data instanceof Uint8Array) return Buffer.from(data).toString("base64");
  return data.type === "data" ? imageDataOf(data.data) : undefined;
}
