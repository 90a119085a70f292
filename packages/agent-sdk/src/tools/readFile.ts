/** `read_file`: lines of a text file, or an image. */
import { z } from "zod";
import type { ToolContext, ToolDefinition, ToolResult } from "../types/tools.js";
import { plural } from "../utils/oneLine.js";
import { ToolFailure } from "../utils/toolFailure.js";
import { defineTool } from "./defineTool.js";
import { createStrictDecoder, imageTypeOf, type OpenedFile, withFile } from "./fileText.js";
import { createLineWindow } from "./lineWindow.js";
import { readableOutputs } from "./outputFile.js";
import { approvalPath, inputLocations, pathInside, shortPath, shownPath } from "./paths.js";

export interface ReadFileOptions {
  readonly workdir: string;
  readonly maxOutputChars: number;
  /** Where whole outputs are kept. Those of the session may be read. */
  readonly outputFolder?: string;
  readonly additionalDirectories: readonly string[];
}

const defaultLimit = 2000;
const maxImageBytes = 5 * 1024 ** 2;
/** Beyond this a file is not read to its end only to count its lines. */
const countedBytes = 16 * 1024 ** 2;

const inputSchema = z.strictObject({
  path: z.string().min(1).describe("The file, relative to the working folder or absolute."),
  offset: z.int().min(1).optional().describe("The first line to read, counted from 1."),
  limit: z.int().min(1).optional().describe(`How many lines to read. Default ${defaultLimit}.`),
});
type Input = z.infer<typeof inputSchema>;

export function createReadFileTool(options: ReadFileOptions): ToolDefinition {
  return defineTool({
    name: "read_file",
    description:
      "Read a UTF-8 text file, or view an image (png, jpg, gif, webp). Long files come in parts: continue with offset.",
    kind: "read",
    input: inputSchema,
    concurrency: "safe",
    title: "Reading {{path}}",
    display: { arguments: { path: "path" } },
    compactParams: ({ path, offset, limit }) => {
      if (typeof path !== "string") return undefined;
      const isPart = typeof offset === "number" || typeof limit === "number";
      const part = isPart ? ` ${[offset ?? 1, limit ?? ""].join(":")}` : "";
      return shortPath(path, options.workdir) + part;
    },
    approvalTarget: ({ path }) => (typeof path === "string" ? approvalPath(path, options) : ""),
    locations: inputLocations,
    async run(input, context) {
      const folders = {
        workdir: context.workdir,
        additionalDirectories: [
          ...context.additionalDirectories,
          ...readableOutputs(options.outputFolder, context.sessionId),
        ],
      };
      const path = pathInside(input.path, folders);
      const shown = shownPath(path, context.workdir);
      return withFile(path, shown, async (file) => {
        const image = await imageResult(file, shown);
        return image ?? textResult(file, shown, input, options.maxOutputChars, context);
      });
    },
  });
}

async function imageResult(file: OpenedFile, shown: string): Promise<ToolResult | undefined> {
  const start = Buffer.alloc(16);
  const { bytesRead } = await file.handle.read(start, 0, start.length, 0);
  const mediaType = imageTypeOf(start.subarray(0, bytesRead));
  if (mediaType === undefined) return undefined;
  const { size } = file.stats;
  if (size > maxImageBytes) {
    throw new ToolFailure(
      "too_large",
      `${shown} is an image of ${size} bytes; images are read up to ${maxImageBytes}.`,
    );
  }
  const bytes = Buffer.alloc(size);
  const read = await file.handle.read(bytes, 0, size, 0);
  return {
    output: `${shown} is an image (${mediaType}, ${size} bytes); it is attached.`,
    summary: `${mediaType}, ${plural(size, "byte")}`,
    images: [{ data: bytes.subarray(0, read.bytesRead).toString("base64"), mediaType }],
  };
}

async function textResult(
  { handle, stats }: OpenedFile,
  shown: string,
  { offset = 1, limit = defaultLimit }: Input,
  maxChars: number,
  { signal }: ToolContext,
): Promise<ToolResult> {
  const decode = createStrictDecoder(shown);
  const window = createLineWindow(offset, limit, maxChars);
  const buffer = Buffer.alloc(64 * 1024);
  let position = 0;
  let isWhole = false;
  while (!isWhole && !(window.isDone() && stats.size > countedBytes)) {
    signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
    isWhole = bytesRead === 0;
    const piece = decode(buffer.subarray(0, bytesRead), isWhole);
    window.push(position === 0 ? piece.replace(/^\ufeff/, "") : piece);
    position += bytesRead;
  }
  const { text, lastLine, totalLines, isLineCut } = window.result();
  if (isWhole && totalLines === 0) return { output: "(The file is empty.)", summary: "empty" };
  if (lastLine < offset) {
    throw new ToolFailure(
      "past_the_end",
      `${shown} has ${plural(totalLines, "line")}; there is no line ${offset}.`,
    );
  }
  const total = isWhole ? String(totalLines) : "many";
  const isPart = offset > 1 || !isWhole || lastLine < totalLines || isLineCut;
  const notes = [
    `Lines ${offset}–${lastLine} of ${total}`,
    ...(isLineCut ? [`line ${lastLine} is longer than shown`] : []),
    ...(!isWhole || lastLine < totalLines ? [`continue with offset ${lastLine + 1}`] : []),
  ];
  return {
    output: isPart ? `${text}${text.endsWith("\n") ? "" : "\n"}\n[${notes.join("; ")}]` : text,
    summary: isPart ? `lines ${offset}–${lastLine} of ${total}` : plural(totalLines, "line"),
  };
}
