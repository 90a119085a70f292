/** The answer of a server as a tool's result: texts, structured content, images, resources, links. */
import type { Image, JsonObject, JsonValue } from "@callboard/run-log";
import type { CallToolResult } from "@modelcontextprotocol/client";
import { z } from "zod";
import type { ToolResult } from "../types/tools.js";
import { ToolFailure } from "../utils/toolFailure.js";

type Content = CallToolResult["content"][number];

const jsonObjectSchema: z.ZodType<JsonObject> = z.record(z.string(), z.json());

/** Throws a ToolFailure of type `mcp_remote` if the server reports a failed call. */
export function mcpResultOf(answer: CallToolResult, server: string): ToolResult {
  const text = answer.content
    .map(contentTextOf)
    .filter((part) => part !== undefined)
    .join("\n");
  const images = answer.content.flatMap(imagesOf);
  if (answer.isError === true) {
    const message = text === "" ? `The server ${server} says that the call failed.` : text;
    throw new ToolFailure("mcp_remote", message, { output: text });
  }
  const structured = jsonObjectSchema.safeParse(answer.structuredContent).data;
  return {
    output: mcpOutputOf(text, structured),
    ...(images.length === 0 ? {} : { images }),
  };
}

/** Structured content is often repeated as text: then it is included once. */
function mcpOutputOf(text: string, structured: JsonObject | undefined): JsonValue {
  if (structured === undefined) return text;
  if (text === "" || isSameJson(text, structured)) return structured;
  return `${text}\n${JSON.stringify(structured)}`;
}

function isSameJson(text: string, structured: JsonObject): boolean {
  const compact = (json: string): string => json.replace(/\s+/g, "");
  return compact(text) === compact(JSON.stringify(structured));
}

function contentTextOf(content: Content): string | undefined {
  switch (content.type) {
    case "text":
      return content.text;
    case "image":
      return undefined;
    case "audio":
      return `[audio ${content.mimeType}, ${bytesOf(content.data)} bytes, not shown]`;
    case "resource_link":
      return `[${content.title ?? content.name}](${content.uri})${content.description === undefined ? "" : ` ${content.description}`}`;
    case "resource": {
      const { resource } = content;
      if ("text" in resource) return `${resource.uri}\n${resource.text}`;
      if (isImage(resource.mimeType)) return resource.uri;
      return `[${resource.uri}, ${resource.mimeType ?? "binary"}, ${bytesOf(resource.blob)} bytes, not shown]`;
    }
    default:
      return content satisfies never;
  }
}

function imagesOf(content: Content): readonly Image[] {
  if (content.type === "image") return [{ data: content.data, mediaType: content.mimeType }];
  if (content.type !== "resource" || !("blob" in content.resource)) return [];
  const { blob, mimeType } = content.resource;
  return isImage(mimeType) ? [{ data: blob, mediaType: mimeType }] : [];
}

const isImage = (mediaType: string | undefined): mediaType is string =>
  mediaType?.startsWith("image/") === true;

const bytesOf = (base64: string): number => Math.floor((base64.replace(/=+$/, "").length * 3) / 4);
