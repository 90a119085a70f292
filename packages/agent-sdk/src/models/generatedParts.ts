/** A whole answer as the stream it would have been, so that both kinds are read by one reader. */
import { withoutUndefined } from "@callboard/run-log/values";
import type { GeneratedAnswer, ModelContent, ModelPart } from "../types/model.js";

export function generatedParts(answer: GeneratedAnswer): readonly ModelPart[] {
  const { content, finishReason, usage, response } = answer;
  const modelId = response?.modelId;
  return [
    ...(modelId === undefined ? [] : [{ type: "response-metadata" as const, modelId }]),
    ...content.flatMap(contentPartsOf),
    { type: "finish", finishReason, usage },
  ];
}

function contentPartsOf(content: ModelContent, index: number): readonly ModelPart[] {
  const id = `${index}`;
  switch (content.type) {
    case "text":
      return [
        { type: "text-delta", id, delta: content.text },
        { type: "text-end", id, ...metadataOf(content) },
      ];
    case "reasoning":
      return [
        { type: "reasoning-delta", id, delta: content.text },
        { type: "reasoning-end", id, ...metadataOf(content) },
      ];
    default:
      return [content];
  }
}

type Metadata = Pick<Extract<ModelContent, { type: "text" }>, "providerMetadata">;

function metadataOf({ providerMetadata }: Metadata): Metadata {
  return withoutUndefined({ providerMetadata });
}
