/** What the requests of our own adapters have in common: file data as text, a tool's output as text, bodies. */
import type {
  LanguageModelV3DataContent,
  LanguageModelV3ToolResultOutput,
  SharedV3ProviderOptions,
} from "@ai-sdk/provider";
import type { JsonObject } from "@callboard/run-log";

export type ResultPiece = Extract<
  LanguageModelV3ToolResultOutput,
  { type: "content" }
>["value"][number];

export function base64Of(data: Exclude<LanguageModelV3DataContent, URL>): string {
  return typeof data === "string" ? data : Buffer.from(data).toString("base64");
}

/** The type of a picture, if it is only known to be one. */
export function imageTypeOf(mediaType: string): string {
  return mediaType === "image/*" ? "image/png" : mediaType;
}

export interface Picture {
  readonly url: string;
  /** Present if the picture's data is in the prompt itself. */
  readonly inline?: { readonly data: string; readonly mediaType: string };
}

export function pictureOf(data: LanguageModelV3DataContent, mediaType: string): Picture {
  if (data instanceof URL) return { url: data.href };
  const inline = { data: base64Of(data), mediaType: imageTypeOf(mediaType) };
  return { url: `data:${inline.mediaType};base64,${inline.data}`, inline };
}

/** The picture that a piece of a tool's output is, if it is one. */
export function pictureIn(piece: ResultPiece): Picture | undefined {
  switch (piece.type) {
    case "image-data":
      return pictureOf(piece.data, piece.mediaType);
    case "file-data":
      return piece.mediaType.startsWith("image/")
        ? pictureOf(piece.data, piece.mediaType)
        : undefined;
    case "image-url":
      return { url: piece.url };
    case "text":
    case "file-url":
    case "file-id":
    case "image-file-id":
    case "custom":
      return undefined;
    default:
      return piece satisfies never;
  }
}

/** A piece that is not a picture, as text. */
export function resultPieceText(piece: ResultPiece): string {
  switch (piece.type) {
    case "text":
      return piece.text;
    case "file-url":
    case "image-url":
      return piece.url;
    case "file-data":
    case "image-data":
      return `[a file of type ${piece.mediaType}]`;
    case "file-id":
    case "image-file-id":
      return `[a file that the provider keeps: ${JSON.stringify(piece.fileId)}]`;
    case "custom":
      return "";
    default:
      return piece satisfies never;
  }
}

/** An output without its pictures. */
export function outputTextOf(output: LanguageModelV3ToolResultOutput): string {
  switch (output.type) {
    case "text":
    case "error-text":
      return output.value;
    case "json":
    case "error-json":
      return JSON.stringify(output.value);
    case "execution-denied":
      return output.reason ?? "The call was denied.";
    case "content":
      return output.value
        .filter((piece) => pictureIn(piece) === undefined)
        .map(resultPieceText)
        .join("\n");
    default:
      return output satisfies never;
  }
}

/** Fields that go into the request as they are. */
export function ownOptions(
  options: SharedV3ProviderOptions | undefined,
  provider: string,
): Readonly<Record<string, unknown>> {
  return options?.[provider] ?? {};
}

/** The body as it will be sent: without what is undefined. */
export function defined(fields: Readonly<Record<string, unknown>>): JsonObject {
  const body: JsonObject = JSON.parse(JSON.stringify(fields));
  return body;
}
