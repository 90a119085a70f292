/**
 * Assigning to a key that is known only at run time.
 * An engine does that fast at a place in the program that meets one key, and slowly at one that meets
 * many; so different keys are assigned at different places. The cases are alike on purpose.
 */
import type { JsonValue } from "../json.js";

export interface OpenObject {
  [key: string]: JsonValue;
}

/** The place of a key; equal keys have equal ones, different keys mostly different ones. */
export function placeOf(key: string): number {
  const length = key.length;
  if (length === 0) return 0;
  return (key.charCodeAt(0) + key.charCodeAt(length - 1) * 7 + length * 3) & 31;
}

/** Adds a key that the object does not have yet, or has by repetition. */
export function addKey(object: OpenObject, key: string, value: JsonValue, place: number): void {
  switch (place) {
    case 0:
      object[key] = value;
      break;
    case 1:
      object[key] = value;
      break;
    case 2:
      object[key] = value;
      break;
    case 3:
      object[key] = value;
      break;
    case 4:
      object[key] = value;
      break;
    case 5:
      object[key] = value;
      break;
    case 6:
      object[key] = value;
      break;
    case 7:
      object[key] = value;
      break;
    case 8:
      object[key] = value;
      break;
    case 9:
      object[key] = value;
      break;
    case 10:
      object[key] = value;
      break;
    case 11:
      object[key] = value;
      break;
    case 12:
      object[key] = value;
      break;
    case 13:
      object[key] = value;
      break;
    case 14:
      object[key] = value;
      break;
    case 15:
      object[key] = value;
      break;
    case 16:
      object[key] = value;
      break;
    case 17:
      object[key] = value;
      break;
    case 18:
      object[key] = value;
      break;
    case 19:
      object[key] = value;
      break;
    case 20:
      object[key] = value;
      break;
    case 21:
      object[key] = value;
      break;
    case 22:
      object[key] = value;
      break;
    case 23:
      object[key] = value;
      break;
    case 24:
      object[key] = value;
      break;
    case 25:
      object[key] = value;
      break;
    case 26:
      object[key] = value;
      break;
    case 27:
      object[key] = value;
      break;
    case 28:
      object[key] = value;
      break;
    case 29:
      object[key] = value;
      break;
    case 30:
      object[key] = value;
      break;
    default:
      object[key] = value;
  }
}

/** Replaces the value of a key that the object has. */
export function replaceKey(object: OpenObject, key: string, value: JsonValue, place: number): void {
  switch (place) {
    case 0:
      object[key] = value;
      break;
    case 1:
      object[key] = value;
      break;
    case 2:
      object[key] = value;
      break;
    case 3:
      object[key] = value;
      break;
    case 4:
      object[key] = value;
      break;
    case 5:
      object[key] = value;
      break;
    case 6:
      object[key] = value;
      break;
    case 7:
      object[key] = value;
      break;
    case 8:
      object[key] = value;
      break;
    case 9:
      object[key] = value;
      break;
    case 10:
      object[key] = value;
      break;
    case 11:
      object[key] = value;
      break;
    case 12:
      object[key] = value;
      break;
    case 13:
      object[key] = value;
      break;
    case 14:
      object[key] = value;
      break;
    case 15:
      object[key] = value;
      break;
    case 16:
      object[key] = value;
      break;
    case 17:
      object[key] = value;
      break;
    case 18:
      object[key] = value;
      break;
    case 19:
      object[key] = value;
      break;
    case 20:
      object[key] = value;
      break;
    case 21:
      object[key] = value;
      break;
    case 22:
      object[key] = value;
      break;
    case 23:
      object[key] = value;
      break;
    case 24:
      object[key] = value;
      break;
    case 25:
      object[key] = value;
      break;
    case 26:
      object[key] = value;
      break;
    case 27:
      object[key] = value;
      break;
    case 28:
      object[key] = value;
      break;
    case 29:
      object[key] = value;
      break;
    case 30:
      object[key] = value;
      break;
    default:
      object[key] = value;
  }
}
