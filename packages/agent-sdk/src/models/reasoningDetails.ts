/**
 * The `reasoning_details` of one thought. They come in pieces; the provider wants them back whole, in their
 * order: pieces with the same index and kind are one, and later fields complete earlier ones.
 */
import type { JSONArray, JSONObject } from "@ai-sdk/provider";
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { objectOf, textAt } from "../utils/jsonFields.js";

export interface ReasoningDetails {
  add(details: readonly JsonValue[]): void;
  /** The words of some details, for people. */
  textOf(details: readonly JsonValue[]): string;
  /** What came since the last call. */
  take(): JSONArray;
}

/** Texts that grow piece by piece; every other field is replaced. */
const growing: ReadonlySet<string> = new Set(["text", "summary", "data"]);

export function createReasoningDetails(): ReasoningDetails {
  let pieces: Map<string, JSONObject> = new Map();
  return {
    add(details) {
      for (const item of details) {
        const detail = objectOf(item);
        if (detail === undefined) continue;
        const key = `${detail.index ?? pieces.size} ${textAt(detail, "type")}`;
        pieces.set(key, merged(pieces.get(key) ?? {}, detail));
      }
    },
    textOf: (details) =>
      details
        .map((item) => textAt(objectOf(item), "text") ?? textAt(objectOf(item), "summary") ?? "")
        .join(""),
    take() {
      const taken = [...pieces.values()];
      pieces = new Map();
      return taken;
    },
  };
}

function merged(known: JSONObject, more: JsonObject): JSONObject {
  const next: JSONObject = { ...known };
  for (const [key, value] of Object.entries(more)) {
    const before = known[key];
    const grows = growing.has(key) && typeof before === "string" && typeof value === "string";
    if (grows) next[key] = before + value;
    else if (value !== null || before === undefined) next[key] = JSON.parse(JSON.stringify(value));
  }
  return next;
}
