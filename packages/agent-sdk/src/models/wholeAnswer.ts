/** The parts of an answer gathered into what `doGenerate` gives: one way of reading for both requests. */

import {
  InvalidResponseDataError,
  type LanguageModelV3Content,
  type LanguageModelV3GenerateResult,
  type LanguageModelV3StreamPart,
} from "@ai-sdk/provider";
import type { JsonObject } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import type { WholeAnswer } from "./sseRequest.js";

type Finish = Extract<LanguageModelV3StreamPart, { type: "finish" }>;
type Metadata = Extract<LanguageModelV3StreamPart, { type: "response-metadata" }>;

export function generateResult(
  parts: readonly LanguageModelV3StreamPart[],
  { answer, headers }: WholeAnswer,
  body: JsonObject,
): LanguageModelV3GenerateResult {
  const failed = parts.find((part) => part.type === "error");
  if (failed !== undefined) throw failed.error;
  const finish = parts.find((part): part is Finish => part.type === "finish");
  if (finish === undefined) {
    throw new InvalidResponseDataError({ data: answer, message: "The answer has no content." });
  }
  const { id, modelId } =
    parts.find((part): part is Metadata => part.type === "response-metadata") ?? {};
  return {
    content: answerContentOf(parts),
    finishReason: finish.finishReason,
    usage: finish.usage,
    request: { body },
    response: {
      headers,
      body: answer,
      ...withoutUndefined({ id, modelId }),
    },
    warnings: [],
  };
}

function answerContentOf(parts: readonly LanguageModelV3StreamPart[]): LanguageModelV3Content[] {
  const content: LanguageModelV3Content[] = [];
  for (const part of parts) {
    const last = content.at(-1);
    if (part.type === "text-delta") {
      if (last?.type === "text") last.text += part.delta;
      else content.push({ type: "text", text: part.delta });
    } else if (part.type === "reasoning-start") {
      content.push({ type: "reasoning", text: "" });
    } else if (part.type === "reasoning-delta" && last?.type === "reasoning") {
      last.text += part.delta;
    } else if (part.type === "reasoning-end" && last?.type === "reasoning") {
      if (part.providerMetadata !== undefined) last.providerMetadata = part.providerMetadata;
    } else if (part.type === "tool-call") {
      content.push(part);
    }
  }
  return content;
}
