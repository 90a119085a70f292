/**
 * How an unknown value is best shown: by its shape. The generic renderer draws the result, so that any tool's output is
 * readable without a renderer of its own.
 */
import { isJson, type JsonObject, type JsonValue } from "@callboard/run-log";

export type Shape =
  | { readonly type: "empty" }
  | { readonly type: "scalar"; readonly text: string }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "markdown"; readonly text: string }
  /** `source` is a data address of a picture; absent for what the page cannot show. */
  | { readonly type: "media"; readonly mediaType: string; readonly source?: string }
  /** The results of MCP tools: texts and media, in order. */
  | { readonly type: "parts"; readonly parts: readonly Shape[] }
  | {
      readonly type: "table";
      readonly columns: readonly string[];
      readonly rows: readonly JsonObject[];
    }
  | { readonly type: "keyValue"; readonly entries: readonly (readonly [string, JsonValue])[] }
  | { readonly type: "list"; readonly items: readonly JsonValue[] }
  | { readonly type: "tree"; readonly value: JsonValue };

const mostColumns = 12;

/** An output as it was written: text that is JSON is shown by its value. */
export function shapeOfText(text: string): Shape {
  if (text.trim() === "") return { type: "empty" };
  const value = parsedJson(text);
  if (value !== undefined) return shapeOf(value);
  return isMarkdown(text) ? { type: "markdown", text } : { type: "text", text };
}

export function shapeOf(value: JsonValue): Shape {
  if (value === null || value === "") return { type: "empty" };
  if (typeof value === "string") return shapeOfString(value);
  if (typeof value !== "object") return { type: "scalar", text: String(value) };
  return isArray(value) ? shapeOfArray(value) : shapeOfObject(value);
}

function shapeOfString(text: string): Shape {
  const media = /^data:([\w.+-]+\/[\w.+-]+);base64,([A-Za-z0-9+/=]+)$/.exec(text);
  if (media) return mediaShape(media[1] ?? "", media[2] ?? "");
  if (!text.includes("\n")) return { type: "scalar", text };
  return isMarkdown(text) ? { type: "markdown", text } : { type: "text", text };
}

function shapeOfArray(items: readonly JsonValue[]): Shape {
  if (items.length === 0) return { type: "empty" };
  const parts = items.flatMap((item) => shapeOfPart(item) ?? []);
  if (parts.length === items.length) return { type: "parts", parts };
  if (items.every(isFlat)) return { type: "list", items };
  const rows = items.filter(isObject);
  if (rows.length !== items.length) return { type: "tree", value: items };
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const isTable =
    columns.length <= mostColumns && rows.every((row) => Object.values(row).every(isCell));
  return isTable ? { type: "table", columns, rows } : { type: "tree", value: items };
}

/** A content block of MCP; undefined for anything else. */
function shapeOfPart(value: JsonValue): Shape | undefined {
  if (!isObject(value)) return undefined;
  const { type, text, data, mimeType } = value;
  if (type === "text" && typeof text === "string") return shapeOfText(text);
  const isMedia = type === "image" || type === "audio";
  if (isMedia && typeof data === "string" && typeof mimeType === "string")
    return mediaShape(mimeType, data);
  return undefined;
}

/** Pictures of pixels are shown: whatever else a data address can hold is only named. */
function mediaShape(mediaType: string, data: string): Shape {
  const isShown =
    /^image\/(png|jpeg|gif|webp|avif)$/.test(mediaType) && /^[A-Za-z0-9+/=]+$/.test(data);
  const source = `data:${mediaType};base64,${data}`;
  return { type: "media", mediaType, ...(isShown ? { source } : {}) };
}

function shapeOfObject(value: JsonObject): Shape {
  const part = shapeOfPart(value);
  if (part) return part;
  const { content } = value;
  if (content !== undefined && isArray(content) && Object.keys(value).length <= 2) {
    const shape = shapeOfArray(content);
    if (shape.type === "parts") return shape;
  }
  const entries = Object.entries(value);
  if (entries.length === 0) return { type: "empty" };
  return entries.every(([, one]) => isCell(one))
    ? { type: "keyValue", entries }
    : { type: "tree", value };
}

/** Only objects and arrays: a number in a line of output is still text. */
function parsedJson(text: string): JsonValue | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : undefined;
  } catch {
    // Not JSON: then it is text, which is not a failure.
    return undefined;
  }
}

function isMarkdown(text: string): boolean {
  return /^#{1,6} \S|^```|^\s*[-*] \S.*\n\s*[-*] \S|\[[^\]\n]+\]\(https?:/m.test(text);
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !isArray(value);
}

function isFlat(value: JsonValue): boolean {
  return typeof value !== "object" || value === null;
}

/** What fits into one cell: a scalar, or a short list of them. */
function isCell(value: JsonValue): boolean {
  return isFlat(value) || (isArray(value) && value.length <= 20 && value.every(isFlat));
}
