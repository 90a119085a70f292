/**
 * One call as it is and as the client surely has it. An update is the difference, field by field; what
 * was written counts only once the write succeeded, and what failed is owed again. It has no clock and
 * writes nothing itself.
 */
import {
  type AcpVersion,
  boundedJson,
  isJsonObject,
  isSameJson,
  type JsonValue,
} from "@callboard/run-log";
import { type ContentLimits, joinedItems, sizeOf, windowedContent } from "./contentSizes.js";
import { appendingKeys, joinedOutput } from "./mergedUpdate.js";
import { type ClientProfile, repeatedFields } from "./profiles.js";
import { isFinal, mayFollow, type SessionUpdate, toolCallFields } from "./sessionUpdate.js";
import { sharedRaw, textsIn } from "./sharedRaw.js";

/** One update on its way: told what became of it. */
export interface Sending {
  readonly update: SessionUpdate;
  /** About how many characters of unchanged fields it leaves out. */
  readonly spared: number;
  succeed(): void;
  fail(): void;
}

export interface CallPicture {
  readonly isOpened: boolean;
  readonly isClosed: boolean;
  /** Whether something about it is not with the client yet. */
  readonly isOwed: boolean;
  /** About how many characters wait to be appended. */
  readonly heldChars: number;
  /** Takes an update in. False when it changes nothing that may change. */
  take(update: SessionUpdate): boolean;
  /** The next update that the client needs, if any. */
  next(): Sending | undefined;
  /** What is owed in fields alone, for a message that takes it along; nothing while more is owed. */
  carry(): Sending | undefined;
  /** A field as it is now. */
  fieldOf(field: string): JsonValue | undefined;
}

export interface PictureSetup {
  readonly version: AcpVersion;
  readonly profile: ClientProfile;
  readonly limits: ContentLimits;
}

export function createCallPicture(toolCallId: string, setup: PictureSetup): CallPicture {
  const { version, profile, limits } = setup;
  const wanted = new Map<string, JsonValue>();
  const acked = new Map<string, JsonValue>();
  const sizes = new Map<string, number>();
  const dirty = new Set<string>();
  /** Items that wait to be appended to the content that the client has. */
  let chunks: readonly JsonValue[] = [];
  /** Output that waits to be appended by `_meta`. */
  let output = new Map<string, JsonValue>();
  let isOpened = false;

  function takeField(field: string, value: JsonValue): boolean {
    if (value === null && version === 1) return false;
    if (field === "status" && !mayFollow(wanted.get("status"), value)) return false;
    const isNews = !isSameJson(wanted.get(field), value);
    wanted.set(field, value);
    if (field === "content") chunks = [];
    if (isNews) dirty.add(field);
    return isNews;
  }

  function takeMeta(meta: JsonValue | undefined): boolean {
    if (!isJsonObject(meta)) return false;
    let isNews = false;
    for (const [key, value] of Object.entries(meta)) {
      if (appendingKeys.has(key)) {
        output.set(key, joinedOutput(output.get(key), value));
        isNews = true;
      } else if (takeField(`_meta.${key}`, value)) isNews = true;
    }
    return isNews;
  }

  function takeChunk(item: JsonValue | undefined): boolean {
    if (item === undefined) return false;
    wanted.set("content", joinedItems(listOf(wanted.get("content")), [item]));
    if (!isOpened || dirty.has("content")) dirty.add("content");
    else chunks = joinedItems(chunks, [item]);
    return true;
  }

  /** What the client is told of a field: of a growing text its end, of a shared one where it stands. */
  function toldOf(field: string, isEnd: boolean): JsonValue | undefined {
    const value = wanted.get(field);
    if (value === undefined) return undefined;
    if (field === "content") {
      const isRepeated = listOf(acked.get("content")).length > 0;
      return windowedContent(listOf(value), limits, !isEnd && isRepeated);
    }
    if (field !== "rawInput" && field !== "rawOutput") return value;
    const raw =
      profile.rawValues === "whole"
        ? value
        : sharedRaw(value, textsIn(listOf(wanted.get("content")), field));
    return sizeOf(raw) > limits.maxText ? boundedJson(raw, limits.maxText) : raw;
  }

  function updateFields(isEnd: boolean): Map<string, JsonValue> {
    const touched = isEnd || !isOpened ? wanted.keys() : dirty.values();
    const held: readonly string[] =
      (wanted.get("status") ?? "pending") === "pending" ? profile.heldBack : [];
    const fields = new Map<string, JsonValue>();
    for (const field of touched) {
      if (held.includes(field)) continue;
      if (isSameJson(acked.get(field), wanted.get(field))) continue;
      const value = toldOf(field, isEnd);
      if (value !== undefined && !isSameJson(acked.get(field), value)) fields.set(field, value);
    }
    return fields;
  }

  function sendingOf(update: SessionUpdate, fields: ReadonlyMap<string, JsonValue>): Sending {
    const opening = !isOpened;
    const printed = output;
    const before = new Map([...fields.keys()].map((field) => [field, acked.get(field)]));
    for (const field of fields.keys()) dirty.delete(field);
    output = new Map();
    let spared = 0;
    if (!opening) for (const [field, size] of sizes) spared += fields.has(field) ? 0 : size;
    return {
      update,
      spared,
      succeed() {
        isOpened = true;
        for (const [field, value] of fields) {
          acked.set(field, value);
          sizes.set(field, sizeOf(value));
        }
      },
      fail() {
        for (const [field, value] of before) {
          dirty.add(field);
          if (value === undefined) acked.delete(field);
          else acked.set(field, value);
        }
        for (const [key, value] of output) printed.set(key, joinedOutput(printed.get(key), value));
        output = printed;
      },
    };
  }

  function nextUpdate(): Sending | undefined {
    const status = wanted.get("status");
    const isEnd = isFinal(status);
    const fields = updateFields(isEnd);
    dirty.clear();
    if (isOpened && fields.size === 0 && output.size === 0) return undefined;
    const isStart = fields.get("status") === "in_progress";
    if (isOpened) {
      for (const field of repeatedFields(profile, { isStart, isEnd })) {
        const value = toldOf(field, isEnd);
        if (value !== undefined) fields.set(field, value);
      }
    } else if (version === 1 && !fields.has("title")) {
      fields.set("title", wanted.get("name") ?? "tool call");
    }
    const sessionUpdate = !isOpened && version === 1 ? "tool_call" : "tool_call_update";
    return sendingOf({ sessionUpdate, toolCallId, ...wireFields(fields, output) }, fields);
  }

  /** Chunks come before a final status: nothing about a call follows its end. */
  function nextChunk(): Sending | undefined {
    const [content, ...rest] = limits.cut(chunks);
    if (content === undefined) return undefined;
    chunks = rest;
    const update = { sessionUpdate: "tool_call_content_chunk", toolCallId, content };
    return {
      update,
      spared: 0,
      succeed() {
        acked.set("content", joinedItems(listOf(acked.get("content")), [content]));
      },
      fail() {
        chunks = joinedItems([content], chunks);
      },
    };
  }

  return {
    get isOpened() {
      return isOpened;
    },
    get isClosed() {
      return isFinal(wanted.get("status"));
    },
    get isOwed() {
      return !isOpened || dirty.size > 0 || chunks.length > 0 || output.size > 0;
    },
    get heldChars() {
      return [...chunks, ...output.values()].reduce((sum: number, item) => sum + sizeOf(item), 0);
    },
    fieldOf: (field) => wanted.get(field),
    take(update) {
      const { sessionUpdate, toolCallId: _, _meta: meta, ...fields } = update;
      if (sessionUpdate === "tool_call_content_chunk") return takeChunk(fields.content);
      let isNews = takeMeta(meta);
      for (const [field, value] of Object.entries(fields)) {
        if (takeField(field, value)) isNews = true;
      }
      return isNews;
    },
    next: () => (isOpened ? nextChunk() : undefined) ?? nextUpdate(),
    carry: () => (isOpened && chunks.length === 0 && output.size === 0 ? nextUpdate() : undefined),
  };
}

/** Most important first; what is under `_meta` goes back there. */
function wireFields(
  fields: ReadonlyMap<string, JsonValue>,
  output: ReadonlyMap<string, JsonValue>,
): Readonly<Record<string, JsonValue>> {
  const known: readonly string[] = toolCallFields;
  const order = [...known, ...[...fields.keys()].filter((field) => !known.includes(field))];
  const wire: Record<string, JsonValue> = {};
  const meta: Record<string, JsonValue> = Object.fromEntries(output);
  for (const field of order) {
    const value = fields.get(field);
    if (value === undefined) continue;
    if (field.startsWith("_meta.")) meta[field.slice("_meta.".length)] = value;
    else wire[field] = value;
  }
  return Object.keys(meta).length === 0 ? wire : { ...wire, _meta: meta };
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
