import type { JsonObject } from "./json.js";

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

/** Leaves out the fields that are undefined, as `exactOptionalPropertyTypes` wants. */
export function withoutUndefined<T extends object>(fields: T): Defined<T>;
export function withoutUndefined(fields: Record<string, unknown>): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined) kept[key] = value;
  }
  return kept;
}

/** The same for fields that came out of an event: the schema has made sure that they are JSON. */
export function jsonFields(fields: object): JsonObject;
export function jsonFields(fields: object): object {
  return withoutUndefined(fields);
}
