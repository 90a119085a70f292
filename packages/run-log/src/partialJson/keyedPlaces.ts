/**
 * Assigning to a key that is known only at run time, and copying an object of a shape that is.
 * An engine does either fast at a place in the program that meets one key or shape, and slowly at one
 * that meets many. So some keys have places of their own, and all others share the last: the cases are
 * alike on purpose.
 */
import type { JsonValue } from "../values/json.js";

export interface OpenObject {
  [key: string]: JsonValue;
}

/** The place of all keys without one of their own; those are counted from 0. */
export const SHARED_PLACE = 15;
/** The same for `growKey`, where one more place costs every delta of a long string. */
export const SHARED_GROWTH_PLACE = 7;

/** Adds a key that the object does not have yet, or has by repetition or because it is a copy. */
export function addKey(object: OpenObject, key: string, value: JsonValue, place: number): void {
  switch (place) {
    case 0:
      object[key] = value;
      return;
    case 1:
      object[key] = value;
      return;
    case 2:
      object[key] = value;
      return;
    case 3:
      object[key] = value;
      return;
    case 4:
      object[key] = value;
      return;
    case 5:
      object[key] = value;
      return;
    case 6:
      object[key] = value;
      return;
    case 7:
      object[key] = value;
      return;
    case 8:
      object[key] = value;
      return;
    case 9:
      object[key] = value;
      return;
    case 10:
      object[key] = value;
      return;
    case 11:
      object[key] = value;
      return;
    case 12:
      object[key] = value;
      return;
    case 13:
      object[key] = value;
      return;
    case 14:
      object[key] = value;
      return;
    default:
      object[key] = value;
  }
}

/** Replaces a string by a longer one. */
export function growKey(object: OpenObject, key: string, value: string, place: number): void {
  switch (place) {
    case 0:
      object[key] = value;
      return;
    case 1:
      object[key] = value;
      return;
    case 2:
      object[key] = value;
      return;
    case 3:
      object[key] = value;
      return;
    case 4:
      object[key] = value;
      return;
    case 5:
      object[key] = value;
      return;
    case 6:
      object[key] = value;
      return;
    default:
      object[key] = value;
  }
}

/** Adds a key of one object to another. */
export function copyKey(
  from: Readonly<Record<string, unknown>>,
  to: Record<string, unknown>,
  key: string,
  place: number,
): void {
  switch (place) {
    case 0:
      to[key] = from[key];
      return;
    case 1:
      to[key] = from[key];
      return;
    case 2:
      to[key] = from[key];
      return;
    case 3:
      to[key] = from[key];
      return;
    case 4:
      to[key] = from[key];
      return;
    case 5:
      to[key] = from[key];
      return;
    case 6:
      to[key] = from[key];
      return;
    case 7:
      to[key] = from[key];
      return;
    case 8:
      to[key] = from[key];
      return;
    case 9:
      to[key] = from[key];
      return;
    case 10:
      to[key] = from[key];
      return;
    case 11:
      to[key] = from[key];
      return;
    case 12:
      to[key] = from[key];
      return;
    case 13:
      to[key] = from[key];
      return;
    case 14:
      to[key] = from[key];
      return;
    default:
      to[key] = from[key];
  }
}

/** A shallow copy; `place` is that of the key last added, which distinguishes most shapes. */
export function copyOf(object: OpenObject, place: number): OpenObject {
  switch (place) {
    case 0:
      return { ...object };
    case 1:
      return { ...object };
    case 2:
      return { ...object };
    case 3:
      return { ...object };
    case 4:
      return { ...object };
    case 5:
      return { ...object };
    case 6:
      return { ...object };
    case 7:
      return { ...object };
    case 8:
      return { ...object };
    case 9:
      return { ...object };
    case 10:
      return { ...object };
    case 11:
      return { ...object };
    case 12:
      return { ...object };
    case 13:
      return { ...object };
    case 14:
      return { ...object };
    default:
      return { ...object };
  }
}
