/**
 * Assigning to a key that is known only at run time, and copying an object of a shape that is.
 * An engine does either fast at a place in the program that meets one key or shape, and slowly at one
 * that meets many. So some keys have places of their own, and all others share the last: the lines are
 * alike on purpose.
 */
import type { JsonValue } from "../json.js";

export interface OpenObject {
  [key: string]: JsonValue;
}

/** The place of all keys without one of their own; those are counted from 0. */
export const SHARED_PLACE = 15;
/** The same for `growKey`, where a place more costs every delta of a long string. */
export const SHARED_GROWTH_PLACE = 7;

/** Adds a key that the object does not have yet, or has by repetition. */
export function addKey(object: OpenObject, key: string, value: JsonValue, place: number): void {
  if (place === 0) object[key] = value;
  else if (place === 1) object[key] = value;
  else if (place === 2) object[key] = value;
  else if (place === 3) object[key] = value;
  else if (place === 4) object[key] = value;
  else if (place === 5) object[key] = value;
  else if (place === 6) object[key] = value;
  else if (place === 7) object[key] = value;
  else if (place === 8) object[key] = value;
  else if (place === 9) object[key] = value;
  else if (place === 10) object[key] = value;
  else if (place === 11) object[key] = value;
  else if (place === 12) object[key] = value;
  else if (place === 13) object[key] = value;
  else if (place === 14) object[key] = value;
  else object[key] = value;
}

/** Replaces a string by a longer one. */
export function growKey(object: OpenObject, key: string, value: string, place: number): void {
  if (place === 0) object[key] = value;
  else if (place === 1) object[key] = value;
  else if (place === 2) object[key] = value;
  else if (place === 3) object[key] = value;
  else if (place === 4) object[key] = value;
  else if (place === 5) object[key] = value;
  else if (place === 6) object[key] = value;
  else object[key] = value;
}

/** Replaces the value of a key in a copy. */
export function replaceCopied(
  copy: OpenObject,
  key: string,
  value: JsonValue,
  place: number,
): void {
  if (place === 0) copy[key] = value;
  else if (place === 1) copy[key] = value;
  else if (place === 2) copy[key] = value;
  else if (place === 3) copy[key] = value;
  else if (place === 4) copy[key] = value;
  else if (place === 5) copy[key] = value;
  else if (place === 6) copy[key] = value;
  else if (place === 7) copy[key] = value;
  else if (place === 8) copy[key] = value;
  else if (place === 9) copy[key] = value;
  else if (place === 10) copy[key] = value;
  else if (place === 11) copy[key] = value;
  else if (place === 12) copy[key] = value;
  else if (place === 13) copy[key] = value;
  else if (place === 14) copy[key] = value;
  else copy[key] = value;
}

/** A shallow copy; `place` is that of the key last added, which tells most shapes apart. */
export function copyOf(object: OpenObject, place: number): OpenObject {
  if (place === 0) return { ...object };
  if (place === 1) return { ...object };
  if (place === 2) return { ...object };
  if (place === 3) return { ...object };
  if (place === 4) return { ...object };
  if (place === 5) return { ...object };
  if (place === 6) return { ...object };
  if (place === 7) return { ...object };
  if (place === 8) return { ...object };
  if (place === 9) return { ...object };
  if (place === 10) return { ...object };
  if (place === 11) return { ...object };
  if (place === 12) return { ...object };
  if (place === 13) return { ...object };
  if (place === 14) return { ...object };
  return { ...object };
}
