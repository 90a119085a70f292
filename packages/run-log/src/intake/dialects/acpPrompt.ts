/** A prompt of an editor as its agent takes it: one text, and images. */

import type { Image } from "../../log/events/envelope.js";
import { type Fields, fieldsOf, textOf } from "../../values/fields.js";

export interface PromptInput {
  readonly text: string;
  readonly images: readonly Image[];
}

/** Attachments are named, and included in full if the client sent them. */
export function promptInputOf(blocks: readonly unknown[]): PromptInput {
  const texts: string[] = [];
  const images: Image[] = [];
  for (const item of blocks) {
    const block = fieldsOf(item) ?? {};
    const image = imageOf(block);
    if (image) images.push(image);
    else texts.push(blockWords(block));
  }
  return { text: texts.filter((text) => text !== "").join("\n"), images };
}

function imageOf({ type, data, mimeType }: Fields): Image | undefined {
  if (type !== "image" || typeof data !== "string") return undefined;
  return typeof mimeType === "string" ? { data, mediaType: mimeType } : { data };
}

function blockWords({ type, text, uri, name, resource }: Fields): string {
  if (type === undefined) return "";
  if (type === "text") return textOf(text) ?? "";
  if (type === "resource_link") return `[${String(name ?? uri)}](${String(uri)})`;
  const attached = fieldsOf(resource);
  if (type === "resource" && attached) {
    const address = String(attached.uri);
    return typeof attached.text === "string"
      ? `<file uri="${address}">\n${attached.text}\n</file>`
      : `[attached: ${address}]`;
  }
  return `[attached: ${String(type)}]`;
}
