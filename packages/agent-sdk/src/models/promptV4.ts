/** A prompt of spec v3 as spec v4 wants it: file data is tagged, in messages and in tool results. */
import type {
  LanguageModelV3CallOptions,
  LanguageModelV3DataContent,
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
} from "@ai-sdk/provider";
import type {
  CallOptionsV4,
  FilePartV4,
  MessageV4,
  ResultOutputV4,
  ResultPartV4,
  ResultPieceV4,
  TaggedData,
} from "../types/model.js";

export function callOptionsV4(options: LanguageModelV3CallOptions): CallOptionsV4 {
  return { ...options, prompt: options.prompt.map(messageV4) };
}

function messageV4(message: LanguageModelV3Message): MessageV4 {
  switch (message.role) {
    case "system":
      return message;
    case "user":
      return {
        ...message,
        content: message.content.map((part) => (part.type === "file" ? fileV4(part) : part)),
      };
    case "assistant":
      return {
        ...message,
        content: message.content.map((part) => {
          if (part.type === "file") return fileV4(part);
          return part.type === "tool-result" ? resultV4(part) : part;
        }),
      };
    case "tool":
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === "tool-result" ? resultV4(part) : part,
        ),
      };
    default:
      return message satisfies never;
  }
}

function fileV4(part: LanguageModelV3FilePart): FilePartV4 {
  return { ...part, data: taggedData(part.data) };
}

function taggedData(data: LanguageModelV3DataContent): TaggedData {
  return data instanceof URL ? { type: "url", url: data } : { type: "data", data };
}

function resultV4(part: LanguageModelV3ToolResultPart): ResultPartV4 {
  return { ...part, output: outputV4(part.output) };
}

type Content = Extract<LanguageModelV3ToolResultOutput, { type: "content" }>;

function outputV4(output: LanguageModelV3ToolResultOutput): ResultOutputV4 {
  return output.type === "content" ? { ...output, value: output.value.map(pieceV4) } : output;
}

function pieceV4(piece: Content["value"][number]): ResultPieceV4 {
  switch (piece.type) {
    case "text":
    case "custom":
      return piece;
    case "image-data":
    case "file-data": {
      const { mediaType, data } = piece;
      return { type: "file", mediaType, data: { type: "data", data } };
    }
    case "image-url":
      return { type: "file", mediaType: "image", data: { type: "url", url: new URL(piece.url) } };
    case "file-url": {
      const { mediaType = "application/octet-stream", url } = piece;
      return { type: "file", mediaType, data: { type: "url", url: new URL(url) } };
    }
    case "file-id":
    case "image-file-id":
      return {
        type: "text",
        text: `[a file that the provider keeps: ${JSON.stringify(piece.fileId)}]`,
      };
    default:
      return piece satisfies never;
  }
}
