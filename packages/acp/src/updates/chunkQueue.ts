/**
 * The content of a call that waits to be appended, in order. Texts beside each other are joined; a chunk with fields of
 * its own, such as `_meta`, stays one update.
 */
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { type ContentLimits, joinedItems, sizeOf } from "./contentSizes.js";

export interface ContentChunk {
  readonly content: JsonValue;
  /** The fields of the update beside its content. */
  readonly beside: JsonObject;
}

export interface ChunkQueue {
  readonly size: number;
  readonly heldChars: number;
  take(items: readonly JsonValue[], beside: JsonObject): void;
  /** Takes the next chunk out. */
  next(): ContentChunk | undefined;
  /** A chunk that could not be written comes first again. */
  putBack(chunk: ContentChunk): void;
  /** Takes everything out. */
  clear(): readonly ContentChunk[];
}

export function createChunkQueue(limits: ContentLimits): ChunkQueue {
  let waiting: readonly ContentChunk[] = [];
  return {
    get size() {
      return waiting.length;
    },
    get heldChars() {
      return waiting.reduce((sum, { content }) => sum + sizeOf(content), 0);
    },
    take(items, beside) {
      const [first, ...rest] = items;
      if (first === undefined) return;
      const more = [{ content: first, beside }, ...plainChunks(rest)];
      waiting = joinedChunks(waiting, more);
    },
    next() {
      const [first, ...later] = waiting;
      const [content, ...rest] = first === undefined ? [] : limits.cut([first.content]);
      if (first === undefined || content === undefined) return undefined;
      waiting = [...plainChunks(rest), ...later];
      return { content, beside: first.beside };
    },
    putBack(chunk) {
      waiting = joinedChunks([chunk], waiting);
    },
    clear() {
      const cleared = waiting;
      waiting = [];
      return cleared;
    },
  };
}

const plainChunks = (items: readonly JsonValue[]): readonly ContentChunk[] =>
  items.map((content) => ({ content, beside: {} }));

const isPlain = ({ beside }: ContentChunk): boolean => Object.keys(beside).length === 0;

function joinedChunks(
  chunks: readonly ContentChunk[],
  more: readonly ContentChunk[],
): readonly ContentChunk[] {
  const joined = [...chunks];
  for (const chunk of more) {
    const last = joined.at(-1);
    if (last === undefined || !isPlain(last) || !isPlain(chunk)) joined.push(chunk);
    else joined.splice(-1, 1, ...plainChunks(joinedItems([last.content], [chunk.content])));
  }
  return joined;
}
