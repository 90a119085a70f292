/**
 * Reads fields of foreign JSON without trusting it. Every result is a value of the requested type or undefined; nothing
 * is coerced and nothing throws.
 */
/** An object of foreign JSON, not validated. */
export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is an object and not a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Fields | undefined {
  return isFields(value) ? value : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}

/** A text that can serve as an id or a name: not empty. */
export function nameOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function numberOf(value: unknown): number | undefined {
  return typeof value === "number" ? value : undefined;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The length of all texts inside a value: what it costs to send, give or take the punctuation. */
export function textSizeOf(value: unknown): number {
  const waiting: unknown[] = [value];
  let size = 0;
  while (waiting.length > 0) {
    const next = waiting.pop();
    if (typeof next === "string") size += next.length;
    else if (Array.isArray(next)) for (const item of next) waiting.push(item);
    else if (isFields(next)) for (const item of Object.values(next)) waiting.push(item);
  }
  return size;
}
