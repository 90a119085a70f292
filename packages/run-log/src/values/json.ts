/** The values of JSON as a type. Readonly at every level: the receiver of a value never changes it. */
export type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject;

/** An object that JSON can express. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Whether a JSON value is a list. */
export function isJsonList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

/** The items of a list; none if the value is not a list. */
export function jsonListOf(value: JsonValue | undefined): readonly JsonValue[] {
  return isJsonList(value) ? value : [];
}

/** Whether a JSON value is an object. */
export function isJsonObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !isJsonList(value);
}

/** The value of a text; undefined if it is not JSON, for which JSON itself has no word. */
export function parsedJson(text: string): JsonValue | undefined {
  try {
    const value: JsonValue = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

/** Deeper values are refused at every entrance: no real input needs them, and recursive code would overflow. */
export const MAX_JSON_DEPTH = 500;

/** Whether a value is plain JSON and not nested too deeply. Walks without recursion. */
export function isJson(value: unknown): value is JsonValue {
  const pending: { readonly value: unknown; readonly depth: number }[] = [{ value, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { value: item, depth } = next;
    if (typeof item === "object" && item !== null) {
      if (depth >= MAX_JSON_DEPTH) return false;
      for (const inner of Object.values(item)) pending.push({ value: inner, depth: depth + 1 });
    } else if (!isJsonScalar(item)) {
      return false;
    }
  }
  return true;
}

function isJsonScalar(value: unknown): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  return value === null || typeof value === "string" || typeof value === "boolean";
}
