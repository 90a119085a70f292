/**
 * Everything that is not a call: terminals that print, messages that grow, and updates that replace themselves. Each
 * knows the one update that the client needs next. A failed write is pending again.
 */
import { isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import { isSameJson } from "@callboard/run-log/values";
import { createContentLimits, joinedItems, plainTextOf, sizeOf } from "./contentSizes.js";
import { createMetaQueue } from "./metaQueue.js";
import type { Sending } from "./sending.js";
import type { SessionUpdate } from "./sessionUpdate.js";
import { characterEnd, createTerminalPieces } from "./terminalPieces.js";

/** Something that waits in the queue for its turn. */
export interface PendingUpdate {
  readonly isOwed: boolean;
  readonly heldChars: number;
  /** With the pending fields beside the appended text, if there are any. */
  readonly owedChars?: number;
  /** Whether nothing more is to come: it need not be remembered. */
  readonly isOver?: boolean;
  take(update: SessionUpdate): boolean;
  next(): Sending | undefined;
}

/** A terminal of v2: bytes are appended, everything else is replaced if it changed. */
export function createTerminalDiffer(terminalId: string, maxText: number): PendingUpdate {
  const wanted = new Map<string, JsonValue>();
  const acked = new Map<string, JsonValue>();
  const dirty = new Set<string>();
  const pieces = createTerminalPieces(maxText);
  const metas = createMetaQueue();
  let isKnown = false;
  /** How often the whole output was replaced: earlier output is then not pending. */
  let snapshots = 0;

  function nextChunk(): Sending | undefined {
    const piece = pieces.next();
    if (piece === undefined) return undefined;
    const { bytes, beside } = piece;
    const data = bytes.toString("base64");
    const epoch = snapshots;
    return {
      update: { ...beside, sessionUpdate: "terminal_output_chunk", terminalId, data },
      spared: 0,
      succeed() {},
      fail() {
        if (epoch === snapshots) pieces.putBack(piece);
      },
    };
  }

  /** The whole output again: its start replaces the previous output, the rest is appended. */
  function snapshot({ output = null }: JsonObject): JsonValue {
    snapshots += 1;
    pieces.clear();
    if (!isJsonObject(output) || typeof output.data !== "string") return output;
    const bytes = Buffer.from(output.data, "base64");
    if (bytes.length <= maxText) return output;
    const end = characterEnd(bytes, maxText);
    pieces.take({ bytes: bytes.subarray(end), beside: {} });
    return { ...output, data: bytes.subarray(0, end).toString("base64") };
  }

  function takeMeta(meta: JsonValue | undefined): boolean {
    return isJsonObject(meta) && metas.take(new Map(Object.entries(meta)));
  }

  return {
    get isOwed() {
      return dirty.size > 0 || pieces.size > 0 || metas.size > 0;
    },
    get heldChars() {
      return pieces.heldBytes;
    },
    get isOver() {
      return isJsonObject(wanted.get("exitStatus"));
    },
    take({ sessionUpdate, terminalId: _, ...given }) {
      if (sessionUpdate === "terminal_output_chunk") {
        const { data, ...beside } = given;
        pieces.take({ bytes: Buffer.from(String(data ?? ""), "base64"), beside });
        return pieces.size > 0;
      }
      const { _meta: meta, ...fields } = given;
      const told = fields.output === undefined ? fields : { ...fields, output: snapshot(fields) };
      let isNews = takeMeta(meta) || !isKnown;
      isKnown = true;
      for (const [field, value] of Object.entries(told)) {
        const isChanged = field === "output" || !isSameJson(wanted.get(field), value);
        wanted.set(field, value);
        if (isChanged) dirty.add(field);
        isNews ||= isChanged;
      }
      return isNews;
    },
    /** The fields before the output come first, then the output, then the exit. */
    next() {
      const isPrinting = pieces.size > 0;
      const due = [...dirty].filter((field) => !isPrinting || field !== "exitStatus");
      const fields = due.flatMap((field): [string, JsonValue][] => {
        const value = wanted.get(field);
        const isSame = field !== "output" && isSameJson(acked.get(field), value);
        return value === undefined || isSame ? [] : [[field, value]];
      });
      for (const field of due) dirty.delete(field);
      const patch = metas.next();
      if (fields.length === 0 && patch === undefined) return nextChunk();
      const meta = patch === undefined ? {} : { _meta: Object.fromEntries(patch) };
      const told = { ...Object.fromEntries(fields), ...meta };
      return {
        update: { sessionUpdate: "terminal_update", terminalId, ...told },
        spared: 0,
        succeed() {
          for (const [field, value] of fields) if (field !== "output") acked.set(field, value);
        },
        fail() {
          for (const [field] of fields) dirty.add(field);
          if (patch) metas.putBack(patch);
        },
      };
    },
  };
}

/** The chunks of one message that came in a row: their texts are one text. */
export function createMessageDiffer(first: SessionUpdate, maxText: number): PendingUpdate {
  const limits = createContentLimits(maxText, maxText);
  let contents: readonly JsonValue[] = [];
  return {
    get isOwed() {
      return contents.length > 0;
    },
    get heldChars() {
      return contents.reduce((sum: number, content) => sum + sizeOf(content), 0);
    },
    take({ content }) {
      if (content === undefined || plainTextOf(content) === "") return false;
      contents = joinedItems(contents, [content]);
      return true;
    },
    next() {
      const [content, ...rest] = contents;
      if (content === undefined) return undefined;
      const [piece = content, ...tail] = limits.cut([content]).map(blockOfNote);
      contents = joinedItems(tail, rest);
      return {
        update: { ...first, content: piece },
        spared: 0,
        succeed() {},
        fail() {
          contents = joinedItems([piece], contents);
        },
      };
    },
  };
}

/** The content of a message is a block: a note in the place of large data is one too. */
function blockOfNote(item: JsonValue): JsonValue {
  return isJsonObject(item) && item.type === "content" ? (item.content ?? item) : item;
}

/** Whether two chunks belong to one message and say nothing beside its content. */
export function isSameMessage(left: SessionUpdate, right: SessionUpdate): boolean {
  const plain = ({ content: _, ...rest }: SessionUpdate) => rest;
  return isJsonObject(right.content) && isSameJson(plain(left), plain(right));
}

/** An update that replaces its predecessors: only the last one counts, and a repeated one not. */
export function createWholeDiffer(): PendingUpdate {
  let wanted: SessionUpdate | undefined;
  let acked: SessionUpdate | undefined;
  return {
    get isOwed() {
      return wanted !== undefined;
    },
    get heldChars() {
      return wanted === undefined ? 0 : sizeOf(wanted);
    },
    take(update) {
      const isNews = !isSameJson(wanted ?? acked, update);
      wanted = update;
      return isNews;
    },
    next() {
      const update = wanted;
      wanted = undefined;
      if (update === undefined || isSameJson(acked, update)) return undefined;
      return {
        update,
        spared: 0,
        succeed() {
          acked = update;
        },
        fail() {
          wanted ??= update;
        },
      };
    },
  };
}
