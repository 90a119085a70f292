/**
 * Reading a row of the older shape. Its columns came and went, so it is read as JSON, and nothing about a
 * column is taken for granted. Whatever the new row does not say is kept under `legacy`.
 */
import { isJson, isJsonObject, type JsonObject, type JsonValue } from "@callboard/run-log";

export type OlderRow = JsonObject;

export function columnText(row: OlderRow, key: string): string | null {
  const value = row[key];
  if (value === undefined || value === null) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A whole number that is not negative. */
export function olderCountOf(row: OlderRow, key: string): number {
  return countOrNull(row, key) ?? 0;
}

export function countOrNull(row: OlderRow, key: string): number | null {
  const amount = amountOrNull(row, key);
  return amount === null ? null : Math.min(Math.round(amount), 2_147_483_647);
}

/** Money: any number that is not negative. */
export function amountOrNull(row: OlderRow, key: string): number | null {
  const value = row[key];
  const number = typeof value === "string" && value !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) && number >= 0 ? number : null;
}

export function olderObjectOf(value: JsonValue | undefined): JsonObject {
  if (value === undefined || value === null) return {};
  return isJsonObject(value) ? value : { value };
}

export function oneOf<Word extends string>(
  words: readonly Word[],
  value: string | null,
): Word | undefined {
  return words.find((word) => word === value);
}

/** The value of JSON in a text; undefined if the text is not JSON. */
export function jsonIn(text: string): JsonValue | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJson(value) ? value : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** What the older row contains and the new one does not, or has with another value. */
export function legacyOf(
  older: OlderRow,
  adopted: JsonObject,
  told: readonly string[] = [],
): JsonObject {
  return Object.fromEntries(
    Object.entries(older).filter(
      ([key, value]) =>
        value !== null &&
        !told.includes(key) &&
        JSON.stringify(adopted[key]) !== JSON.stringify(value),
    ),
  );
}

export function withLegacy(metadata: JsonValue | undefined, legacy: JsonObject): JsonObject {
  const kept = olderObjectOf(metadata);
  return Object.keys(legacy).length === 0 ? kept : { ...kept, legacy };
}
