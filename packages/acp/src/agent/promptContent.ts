/** A prompt's blocks as the agent takes them: one text, and images. */
import { type Image, isJsonObject, type JsonValue } from "@callboard/run-log";

export interface PromptInput {
  readonly text: string;
  readonly images: readonly Image[];
}

/** What is attached is told by name, and in full where the client sent it along. */
export function promptInputOf(blocks: readonly JsonValue[]): PromptInput {
  const texts: string[] = [];
  const images: Image[] = [];
  for (const block of blocks) {
    const image = imageOf(block);
    if (image) images.push(image);
    else texts.push(textOf(block));
  }
  return { text: texts.filter((text) => text !== "").join("\n"), images };
}

function imageOf(block: JsonValue): Image | undefined {
  if (!isJsonObject(block) || block.type !== "image" || typeof block.data !== "string") {
    return undefined;
  }
  const { data, mimeType } = block;
  return typeof mimeType === "string" ? { data, mediaType: mimeType } : { data };
}

function textOf(block: JsonValue): string {
  if (!isJsonObject(block)) return "";
  const { type, text, uri, name, resource } = block;
  if (type === "text") return typeof text === "string" ? text : "";
  if (type === "resource_link") return `[${String(name ?? uri)}](${String(uri)})`;
  if (type === "resource" && isJsonObject(resource)) {
    const address = String(resource.uri);
    return typeof resource.text === "string"
      ? `<file uri="${address}">\n${resource.text}\n</file>`
      : `[attached: ${address}]`;
  }
  return `[attached: ${String(type)}]`;
}
