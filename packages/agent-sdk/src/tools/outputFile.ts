/**
 * Output of any size: head and tail in memory, the whole in a file once it is larger than that. A writer waits for the
 * disk, so memory stays bounded. A failing disk costs the file, which the text then reports, never the call. Keys are
 * untrusted: a file is never outside of the folder.
 */

import { constants } from "node:fs";
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join } from "node:path";
import { StringDecoder } from "node:string_decoder";
import { messageOfError } from "@callboard/run-log/values";
import { outputFileName, sessionOutputFolder } from "../utils/outputPaths.js";

export interface OutputSinkOptions {
  /** The maximum in memory, in UTF-16 units. */
  readonly maxChars: number;
  readonly folder: string;
  /** Names the file; any text will do. */
  readonly key: string;
  /** The maximum of the file; the rest is only counted. Default 2 GiB. */
  readonly maxFileBytes?: number;
}

export interface KeptOutput {
  /** The whole, or its head and tail around a line that states what is missing and where it is. */
  readonly text: string;
  readonly totalBytes: number;
  readonly totalLines: number;
  readonly filePath?: string;
  readonly persistKey?: string;
}

export interface OutputSink {
  /** Resolves when more may come. Calls must not overlap. */
  write(chunk: Uint8Array): Promise<void>;
  /** Call once, after the last write. */
  finish(): Promise<KeptOutput>;
}

const defaultMaxFileBytes = 2 * 1024 ** 3;
const lineFeed = 0x0a;

export function createOutputSink(options: OutputSinkOptions): OutputSink {
  const file = createSpillFile(options);
  const ends = createHeadAndTail(options.maxChars);
  const decoder = new StringDecoder("utf8");
  let held: Uint8Array[] = [];
  let totalBytes = 0;
  let lineFeeds = 0;
  let lastByte: number | undefined;

  async function keep(text: string): Promise<void> {
    ends.push(text);
    if (!ends.isCut()) return;
    const pieces = held;
    held = [];
    for (const piece of pieces) await file.write(piece);
  }

  return {
    async write(chunk) {
      if (chunk.length === 0) return;
      totalBytes += chunk.length;
      lineFeeds += byteCountOf(chunk, lineFeed);
      lastByte = chunk.at(-1);
      held.push(chunk);
      await keep(decoder.write(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)));
    },
    async finish() {
      await keep(decoder.end());
      const totalLines = lineFeeds + (lastByte === undefined || lastByte === lineFeed ? 0 : 1);
      if (!ends.isCut()) return { text: ends.text(""), totalBytes, totalLines };
      const kept = await file.close();
      return { text: ends.text(kept.note), totalBytes, totalLines, ...kept.place };
    },
  };
}

/** Stores a text that is already whole. Throws if the disk does. */
export async function keepText(
  text: string,
  { folder, key }: Pick<OutputSinkOptions, "folder" | "key">,
): Promise<{ readonly persistKey: string; readonly filePath: string }> {
  const persistKey = outputFileName(key);
  const filePath = join(folder, `${persistKey}.txt`);
  const handle = await openNew(folder, filePath);
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
  return { persistKey, filePath };
}

/** The folders of outputs that a call of this session may read beside its own folders. */
export function readableOutputs(outputs: string | undefined, sessionId: string): readonly string[] {
  return outputs === undefined ? [] : [sessionOutputFolder(outputs, sessionId)];
}

function byteCountOf(bytes: Uint8Array, wanted: number): number {
  let count = 0;
  for (let at = 0; at < bytes.length; at += 1) if (bytes[at] === wanted) count += 1;
  return count;
}

interface HeadAndTail {
  push(text: string): void;
  isCut(): boolean;
  text(note: string): string;
}

function createHeadAndTail(maxChars: number): HeadAndTail {
  const headMax = Math.ceil(maxChars / 2);
  const tailMax = maxChars - headMax;
  let total = 0;
  let head = "";
  let tail = "";
  return {
    push(text) {
      total += text.length;
      const room = Math.max(0, headMax - head.length);
      head += text.slice(0, room);
      tail += text.slice(room);
      // Cutting only at twice the size keeps a flood of single characters linear.
      if (tail.length > 2 * tailMax + 1024) tail = tail.slice(tail.length - tailMax);
    },
    isCut: () => total > maxChars,
    text(note) {
      if (total <= maxChars) return head + tail;
      const first = isHalfPair(head.charCodeAt(head.length - 1), 0xd800) ? head.slice(0, -1) : head;
      const rest = tail.slice(Math.max(0, tail.length - tailMax));
      const last = isHalfPair(rest.charCodeAt(0), 0xdc00) ? rest.slice(1) : rest;
      const missing = total - first.length - last.length;
      return `${first}\n… ${missing} characters left out${note} …\n${last}`;
    },
  };
}

function isHalfPair(unit: number, from: number): boolean {
  return unit >= from && unit < from + 0x400;
}

interface SpillFile {
  write(piece: Uint8Array): Promise<void>;
  close(): Promise<{
    readonly note: string;
    readonly place: { readonly filePath?: string; readonly persistKey?: string };
  }>;
}

function createSpillFile({
  folder,
  key,
  maxFileBytes = defaultMaxFileBytes,
}: OutputSinkOptions): SpillFile {
  const persistKey = outputFileName(key);
  const filePath = join(folder, `${persistKey}.txt`);
  let handle: FileHandle | undefined;
  let problem: string | undefined;
  let written = 0;
  let isFull = false;

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      problem ??= messageOfError(error);
    }
  }

  return {
    async write(piece) {
      if (problem !== undefined || isFull) return;
      await attempt(async () => {
        handle ??= await openNew(folder, filePath);
        const part = piece.subarray(0, Math.max(0, maxFileBytes - written));
        isFull = part.length < piece.length;
        for (let at = 0; at < part.length; ) {
          const { bytesWritten } = await handle.write(part, at, part.length - at);
          at += bytesWritten;
          written += bytesWritten;
        }
      });
    },
    async close() {
      await attempt(async () => handle?.close());
      if (problem !== undefined) {
        return { note: `; the whole could not be kept: ${problem}`, place: {} };
      }
      const share = isFull ? `the first ${written} bytes are` : "the whole is";
      return { note: `; ${share} in ${filePath}`, place: { filePath, persistKey } };
    },
  };
}

/** Readable by its owner alone, and never through a link in its place. */
async function openNew(folder: string, filePath: string): Promise<FileHandle> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const { O_CREAT, O_WRONLY, O_TRUNC, O_NOFOLLOW } = constants;
  return open(filePath, O_CREAT | O_WRONLY | O_TRUNC | O_NOFOLLOW, 0o600);
}
