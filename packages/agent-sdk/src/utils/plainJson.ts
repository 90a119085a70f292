/**
 * Any value as JSON, or why it is not JSON. Values that JSON text would drop without a trace are refused by name: a
 * function, a cycle, a Map, a number that is not finite. An undefined field is omitted, and the `toJSON` of a value,
 * such as a Date, is called.
 */
import type { JsonValue } from "@callboard/run-log";
import { MAX_JSON_DEPTH } from "@callboard/run-log/values";

export type PlainJson =
  | { readonly status: "json"; readonly value: JsonValue }
  /** `path` leads to what does not fit; it is empty for the value itself. */
  | { readonly status: "misfit"; readonly path: Path; readonly problem: string };

type Path = readonly (string | number)[];

class Misfit extends Error {
  readonly path: Path;
  constructor(path: Path, problem: string) {
    super(problem);
    this.path = path;
  }
}

/** It never throws, whatever getters and proxies do. */
export function plainJson(value: unknown): PlainJson {
  try {
    return { status: "json", value: jsonAt(value, [], new Set()) };
  } catch (error) {
    if (error instanceof Misfit) {
      return { status: "misfit", path: error.path, problem: error.message };
    }
    return { status: "misfit", path: [], problem: `reading it failed: ${thrownMessage(error)}` };
  }
}

function jsonAt(value: unknown, path: Path, around: Set<object>): JsonValue {
  switch (typeof value) {
    case "string":
    case "boolean":
      return value;
    case "number":
      if (Number.isFinite(value)) return value;
      throw new Misfit(path, `${value} is not a number that JSON can carry`);
    case "object":
      return value === null ? null : compoundAt(value, path, around);
    case "bigint":
      throw new Misfit(path, "a bigint is not JSON; give a number or a string");
    default:
      throw new Misfit(path, `${article(typeof value)} is not JSON`);
  }
}

function compoundAt(value: object, path: Path, around: Set<object>): JsonValue {
  if (around.has(value)) throw new Misfit(path, "the value contains itself");
  if (path.length >= MAX_JSON_DEPTH) {
    throw new Misfit([], `it is nested more than ${MAX_JSON_DEPTH} deep`);
  }
  around.add(value);
  try {
    if (Array.isArray(value)) {
      // A hole or an undefined entry keeps its place, as in JSON text.
      return Array.from(value, (one: unknown, index) =>
        one === undefined ? null : jsonAt(one, [...path, index], around),
      );
    }
    const kind = unwritable.find((one) => value instanceof one);
    if (kind !== undefined) {
      throw new Misfit(path, `${article(kind.name)} is not JSON; give a plain object or text`);
    }
    if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
      throw new Misfit(path, "bytes are not JSON; give text, or an image in `images`");
    }
    if ("toJSON" in value && typeof value.toJSON === "function") {
      return jsonAt(value.toJSON(), path, around);
    }
    return objectAt(value, path, around);
  } finally {
    around.delete(value);
  }
}

function objectAt(value: object, path: Path, around: Set<object>): JsonValue {
  const entries = Object.entries(value).filter(([, one]: [string, unknown]) => one !== undefined);
  return Object.fromEntries(
    entries.map(([key, one]: [string, unknown]) => [key, jsonAt(one, [...path, key], around)]),
  );
}

/** Values whose content JSON does not serialize. */
const unwritable = [Map, Set, WeakMap, WeakSet, Promise, RegExp, Error];

function article(word: string): string {
  return /^[aeiouAEIOU]/.test(word) ? `an ${word}` : `a ${word}`;
}

/** The message of whatever was thrown. It never throws itself. */
export function thrownMessage(thrown: unknown): string {
  try {
    const isError = thrown instanceof Error;
    if (isError && typeof thrown.message === "string" && thrown.message.trim() !== "") {
      return thrown.message;
    }
    if (thrown === undefined || thrown === null) return `it threw ${thrown}, without a message`;
    const text = isError ? String(thrown.name) : String(thrown);
    return text.trim() === "" ? "it threw an error without a message" : text;
  } catch {
    return "it threw a value that cannot be printed";
  }
}
