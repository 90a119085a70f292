/**
 * One call as it is and as the client certainly has it. An update is the difference, field by field; a write counts only
 * once it succeeded, and a failed one is pending again. It has no clock and writes nothing itself.
 */
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";
import type { AcpVersion } from "@callboard/run-log/projections";
import { boundedJson, isSameJson, jsonListOf } from "@callboard/run-log/values";
import { createChunkQueue } from "./chunkQueue.js";
import {
  type ContentLimits,
  fittingItems,
  joinedItems,
  sizeOf,
  windowedContent,
} from "./contentSizes.js";
import { appendingKeys } from "./mergedUpdate.js";
import { createMetaQueue } from "./metaQueue.js";
import { createOutputQueue } from "./outputQueue.js";
import { type ClientProfile, repeatedFields } from "./profiles.js";
import type { Sending } from "./sending.js";
import { isFinal, mayFollow, type SessionUpdate } from "./sessionUpdate.js";
import { sharedRaw, textsIn } from "./sharedRaw.js";
import { type Beside, wireFields } from "./wireFields.js";

export interface CallDiffer {
  readonly isOpened: boolean;
  readonly isClosed: boolean;
  /** Whether something about it is not with the client yet. */
  readonly isOwed: boolean;
  /** About how many characters wait to be appended. */
  readonly heldChars: number;
  /** About how many characters are pending in total: text to append, and fields. */
  readonly owedChars: number;
  /** Takes an update in. False when it changes nothing that may change. */
  take(update: SessionUpdate): boolean;
  /** The next update that the client needs, if any. */
  next(): Sending | undefined;
  /** The pending fields alone, for a message that includes them; undefined while more is pending. */
  carry(): Sending | undefined;
  /** A field as it is now. */
  fieldOf(field: string): JsonValue | undefined;
  /** Another message sent the client these fields: later differences from them are new. */
  shown(fields: JsonObject): void;
}

export interface DifferSetup {
  readonly version: AcpVersion;
  readonly profile: ClientProfile;
  readonly limits: ContentLimits;
}

/** `introduction`: the fields of a call that the client has from another message, and so need not be opened. */
export function createCallDiffer(
  toolCallId: string,
  setup: DifferSetup,
  introduction?: JsonObject,
): CallDiffer {
  const { version, profile, limits } = setup;
  const wanted = new Map<string, JsonValue>();
  const acked = new Map<string, JsonValue>();
  const sizes = new Map<string, number>();
  const dirty = new Set<string>();
  const chunks = createChunkQueue(limits);
  /** Output that waits to be appended by `_meta`. */
  const output = createOutputQueue(limits.maxText);
  const metas = createMetaQueue();
  let isOpened = introduction !== undefined;
  let owed: number | undefined;
  const { _meta: _, ...introduced } = introduction ?? {};
  for (const [field, value] of Object.entries(introduced)) {
    if (value !== null) setShown(field, value);
  }

  function setShown(field: string, value: JsonValue): void {
    wanted.set(field, value);
    acked.set(field, value);
  }

  function takeField(field: string, value: JsonValue): boolean {
    if (value === null && version === 1) return false;
    if (field === "status" && !mayFollow(wanted.get("status"), value)) return false;
    const isNews = !isSameJson(wanted.get(field), value);
    wanted.set(field, value);
    if (!isNews) return false;
    dirty.add(field);
    // The whole has what waited to be appended, but not what stood beside it.
    if (field === "content") for (const { beside } of chunks.clear()) takeMeta(beside._meta);
    return true;
  }

  function takeMeta(meta: JsonValue | undefined): boolean {
    if (!isJsonObject(meta)) return meta !== undefined && takeField("_meta", meta);
    let hasOutput = false;
    const others = new Map<string, JsonValue>();
    for (const [key, value] of Object.entries(meta)) {
      if (!appendingKeys.has(key)) others.set(key, boundedValue(value));
      else {
        output.take({ key, value });
        hasOutput = true;
      }
    }
    return metas.take(others) || hasOutput;
  }

  function takeChunk({ content, ...beside }: JsonObject): boolean {
    const items = content === undefined ? [] : limits.cut([content]);
    wanted.set("content", joinedItems(jsonListOf(wanted.get("content")), items));
    if (isOpened && !dirty.has("content")) chunks.take(items, beside);
    else {
      dirty.add("content");
      takeMeta(beside._meta);
    }
    return true;
  }

  const isFailed = (): boolean =>
    wanted.get("status") === "failed" && jsonListOf(wanted.get("content")).length > 0;

  /** The value of a field for the client: for a growing text its end, for a shared one its position. */
  function toldOf(field: string, isEnd: boolean): JsonValue | undefined {
    const value = wanted.get(field);
    if (value === undefined) return undefined;
    if (field === "content" && isJsonList(value)) {
      const isRepeated = jsonListOf(acked.get("content")).length > 0;
      return windowedContent(value, limits, !isEnd && isRepeated);
    }
    if (field === "locations" && isJsonList(value)) return fittingItems(value, limits.maxText);
    if (field === "rawOutput" && profile.failures === "content" && isFailed()) return undefined;
    const isShared = profile.rawValues === "shared";
    const told =
      isShared && (field === "rawInput" || field === "rawOutput")
        ? sharedRaw(value, textsIn(jsonListOf(wanted.get("content")), field))
        : value;
    return boundedValue(told);
  }

  function boundedValue(value: JsonValue): JsonValue {
    return sizeOf(value) > limits.maxText ? boundedJson(value, limits.maxText) : value;
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

  function sendingOf(
    update: SessionUpdate,
    fields: ReadonlyMap<string, JsonValue>,
    { printed, patch }: Beside,
  ): Sending {
    const opening = !isOpened;
    owed = undefined;
    const before = new Map([...fields.keys()].map((field) => [field, acked.get(field)]));
    for (const field of fields.keys()) dirty.delete(field);
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
        owed = undefined;
        for (const [field, value] of before) {
          dirty.add(field);
          if (value === undefined) acked.delete(field);
          else acked.set(field, value);
        }
        if (printed) output.putBack(printed);
        if (patch) metas.putBack(patch);
      },
    };
  }

  function nextUpdate(): Sending | undefined {
    // An end waits until all output and all `_meta` values are sent.
    const isPrinting = output.hasSurplus;
    const isSurplus = isPrinting || metas.size > 1;
    if (isSurplus && isOpened) return nextPiece();
    const isOver = isFinal(wanted.get("status"));
    const isEnd = isOver && !isSurplus;
    const fields = updateFields(isEnd);
    dirty.clear();
    if (isOver && isSurplus && fields.delete("status")) dirty.add("status");
    if (isOpened && fields.size === 0 && output.size === 0 && metas.size === 0) return undefined;
    const isStart = fields.get("status") === "in_progress";
    if (isOpened) {
      for (const field of repeatedFields(profile, { isStart, isEnd, isFailed: isFailed() })) {
        const value = toldOf(field, isEnd);
        if (value !== undefined) fields.set(field, value);
      }
    } else if (version === 1 && !fields.has("title")) {
      fields.set("title", wanted.get("name") ?? "tool call");
    }
    const sessionUpdate = !isOpened && version === 1 ? "tool_call" : "tool_call_update";
    const patch = metas.next(isPrinting ? "terminal_exit" : undefined);
    const beside = { printed: output.next(), patch };
    const update = { sessionUpdate, toolCallId, ...wireFields(fields, beside) };
    return sendingOf(update, fields, beside);
  }

  /** A piece of the output, or of `_meta`, alone: more of it follows. */
  function nextPiece(): Sending {
    const beside: Beside = output.hasSurplus
      ? { printed: output.next(), patch: undefined }
      : { printed: undefined, patch: metas.next() };
    const repeated = new Map<string, JsonValue>();
    for (const field of profile.always) {
      const value = acked.get(field);
      if (value !== undefined) repeated.set(field, value);
    }
    const fields = wireFields(repeated, beside);
    const update = { sessionUpdate: "tool_call_update", toolCallId, ...fields };
    return sendingOf(update, new Map(), beside);
  }

  /** Chunks come before a final status: nothing about a call follows its end. */
  function nextChunk(): Sending | undefined {
    const chunk = chunks.next();
    if (chunk === undefined) return undefined;
    const { content, beside } = chunk;
    return {
      update: { ...beside, sessionUpdate: "tool_call_content_chunk", toolCallId, content },
      spared: 0,
      succeed() {
        acked.set("content", joinedItems(jsonListOf(acked.get("content")), [content]));
      },
      fail: () => chunks.putBack(chunk),
    };
  }

  const heldChars = (): number => chunks.heldChars + output.heldChars;

  /** Measured once for each change: it is queried often. */
  function owedInFields(): number {
    if (owed !== undefined) return owed;
    owed = toolCallId.length;
    for (const field of dirty) owed += field.length + sizeOf(wanted.get(field) ?? null);
    return owed;
  }

  return {
    get isOpened() {
      return isOpened;
    },
    get isClosed() {
      return isFinal(wanted.get("status"));
    },
    get isOwed() {
      return !isOpened || dirty.size > 0 || chunks.size > 0 || output.size > 0 || metas.size > 0;
    },
    get heldChars() {
      return heldChars();
    },
    get owedChars() {
      return heldChars() + owedInFields();
    },
    fieldOf: (field) => wanted.get(field),
    shown(fields) {
      for (const [field, value] of Object.entries(fields)) {
        // A status never goes back, and what is on its way comes after.
        const isKnown = acked.has(field) && !dirty.has(field) && field !== "status";
        if (!isKnown || value === null || isSameJson(wanted.get(field), value)) continue;
        setShown(field, value);
      }
    },
    take(update) {
      owed = undefined;
      const { sessionUpdate, toolCallId: _, ...rest } = update;
      if (sessionUpdate === "tool_call_content_chunk") return takeChunk(rest);
      const { _meta: meta, ...fields } = rest;
      let isNews = takeMeta(meta);
      for (const [field, value] of Object.entries(fields)) {
        if (takeField(field, value)) isNews = true;
      }
      return isNews;
    },
    next: () => (isOpened ? nextChunk() : undefined) ?? nextUpdate(),
    carry() {
      const isMore = chunks.size > 0 || output.size > 0 || metas.size > 1;
      return isOpened && !isMore ? nextUpdate() : undefined;
    },
  };
}
