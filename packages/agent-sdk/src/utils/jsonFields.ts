/**
 * Reading foreign JSON field by field. A field that is missing or of another kind is undefined, so a
 * provider that adds, drops or nulls fields breaks nothing. Nothing is copied: it runs for each delta.
 */
import type { JSONObject } from "@ai-sdk/provider";
import { isJsonList, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";

export function objectOf(value: JsonValue | undefined): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

export function objectAt(object: JsonObject | undefined, key: string): JsonObject | undefined {
  return objectOf(object?.[key]);
}

const none: readonly JsonValue[] = [];

export function listAt(object: JsonObject | undefined, key: string): readonly JsonValue[] {
  const value = object?.[key];
  return isJsonList(value) ? value : none;
}

export function textAt(object: JsonObject | undefined, key: string): string | undefined {
  const value = object?.[key];
  return typeof value === "string" ? value : undefined;
}

export function numberAt(object: JsonObject | undefined, key: string): number | undefined {
  const value = object?.[key];
  return typeof value === "number" ? value : undefined;
}

/** A position, which some servers send as a text. */
export function indexAt(object: JsonObject | undefined, key: string): number | undefined {
  const value = object?.[key];
  if (typeof value === "number") return value;
  return typeof value === "string" && /^\d{1,9}$/.test(value) ? Number(value) : undefined;
}

/** A provider's own counts, without what it nests below them. */
export function rawCounts(usage: JsonObject): JSONObject {
  const counts = Object.entries(usage).flatMap(([key, value]) =>
    typeof value === "object" && value !== null ? [] : [[key, value] as const],
  );
  return Object.fromEntries(counts);
}
