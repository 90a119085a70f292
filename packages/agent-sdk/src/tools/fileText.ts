/**
 * Files as text: opened in the checked folder, without following a link and without blocking on a pipe; refused if they
 * are not a plain file, binary or not UTF-8. It never guesses an encoding.
 */

import { constants, type Stats } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname } from "node:path";
import type { Image } from "@callboard/run-log";
import { systemCodeOf } from "@callboard/run-log/values";
import { withHeldFolder } from "../system/heldFolder.js";
import { ToolFailure } from "../utils/toolFailure.js";

export interface OpenedFile {
  readonly handle: FileHandle;
  readonly stats: Stats;
}

/** `path` is a real one, free of links; `shown` is the path as messages name it. */
export async function withFile<Value>(
  path: string,
  shown: string,
  use: (file: OpenedFile) => Promise<Value>,
): Promise<Value> {
  const handle = await openForReading(path, shown);
  try {
    const stats = await handle.stat();
    if (stats.isDirectory()) throw isFolder(shown);
    if (!stats.isFile()) throw new ToolFailure("not_a_file", `${shown} is not a plain file.`);
    return await use({ handle, stats });
  } finally {
    await handle.close();
  }
}

async function openForReading(path: string, shown: string): Promise<FileHandle> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
  try {
    return await withHeldFolder(dirname(path), {}, (place) =>
      open(place(basename(path)), O_RDONLY | O_NOFOLLOW | O_NONBLOCK),
    );
  } catch (error) {
    throw fileFailure(error, shown);
  }
}

/** An error of the file system, in a text that a model can act on. */
export function fileFailure(error: unknown, shown: string): unknown {
  const code = systemCodeOf(error);
  if (code === undefined || error instanceof ToolFailure) return error;
  switch (code) {
    case "ENOENT":
      return new ToolFailure("not_found", `${shown} does not exist.`, {
        suggestion: "Call list_files to see the files that exist.",
        cause: error,
      });
    case "EISDIR":
      return isFolder(shown);
    case "ENOTDIR":
      return new ToolFailure("not_a_folder", `${shown} is not a folder.`, { cause: error });
    case "EACCES":
    case "EPERM":
    case "EROFS":
      return new ToolFailure("permission", `${shown} may not be accessed (${code}).`, {
        cause: error,
      });
    default:
      return new ToolFailure("file_system", `${shown} could not be accessed (${code}).`, {
        cause: error,
      });
  }
}

function isFolder(shown: string): ToolFailure {
  return new ToolFailure("is_folder", `${shown} is a folder.`, {
    suggestion: "Use list_files for folders.",
  });
}

export interface FileText {
  /** With its byte order mark, if it has one. */
  readonly text: string;
  readonly stats: Stats;
}

/** The whole file; undefined if there is none. */
export async function readFileText(
  path: string,
  shown: string,
  maxBytes: number,
): Promise<FileText | undefined> {
  try {
    return await withFile(path, shown, async ({ handle, stats }) => {
      if (stats.size > maxBytes) {
        throw new ToolFailure(
          "too_large",
          `${shown} has ${stats.size} bytes; this works up to ${maxBytes}.`,
        );
      }
      const decode = createStrictDecoder(shown);
      const bytes = await handle.readFile();
      return { text: decode(bytes, true), stats };
    });
  } catch (error) {
    if (error instanceof ToolFailure && error.errorType === "not_found") return undefined;
    throw error;
  }
}

/** Decodes UTF-8 in pieces and refuses everything else. */
export function createStrictDecoder(shown: string): (bytes: Uint8Array, isLast: boolean) => string {
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  return (bytes, isLast) => {
    if (bytes.includes(0)) throw notText(shown, "is a binary file");
    try {
      return decoder.decode(bytes, { stream: !isLast });
    } catch (error) {
      throw notText(shown, "is not UTF-8 text", error);
    }
  };
}

function notText(shown: string, problem: string, cause?: unknown): ToolFailure {
  return new ToolFailure("not_text", `${shown} ${problem}.`, {
    suggestion: "Only UTF-8 text can be read, written and edited here; for others use shell.",
    cause,
  });
}

/** By the first bytes, never by the name. */
export function imageTypeOf(start: Uint8Array): Image["mediaType"] {
  const text = Buffer.from(start).toString("latin1");
  if (text.startsWith("\x89PNG\r\n\x1a\n")) return "image/png";
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (/^GIF8[79]a/.test(text)) return "image/gif";
  return /^RIFF.{4}WEBP/s.test(text) ? "image/webp" : undefined;
}
