/**
 * Copies of open objects, for snapshots, which make one for each level.
 * An engine copies fast at a place in the program that meets few shapes, and slowly at one that meets
 * many; so objects with different keys are copied at different places. The cases are alike on purpose.
 * It never follows or changes what it copies.
 */
import type { JsonValue } from "../json.js";
import type { OpenObject } from "./keyedPlaces.js";

/** A sum over an object's keys: objects with the same keys, in order, have the same one. */
export function mixKey(mix: number, key: string): number {
  return (mix * 5 + key.length * 3 + key.charCodeAt(0)) & 0xffff;
}

/** A shallow copy with another value under `key`, the object's last. */
export function copyWith(
  object: OpenObject,
  mix: number,
  key: string,
  value: JsonValue,
): OpenObject {
  let copy: OpenObject;
  switch ((mix ^ (mix >> 4)) & 15) {
    case 0:
      copy = { ...object };
      copy[key] = value;
      break;
    case 1:
      copy = { ...object };
      copy[key] = value;
      break;
    case 2:
      copy = { ...object };
      copy[key] = value;
      break;
    case 3:
      copy = { ...object };
      copy[key] = value;
      break;
    case 4:
      copy = { ...object };
      copy[key] = value;
      break;
    case 5:
      copy = { ...object };
      copy[key] = value;
      break;
    case 6:
      copy = { ...object };
      copy[key] = value;
      break;
    case 7:
      copy = { ...object };
      copy[key] = value;
      break;
    case 8:
      copy = { ...object };
      copy[key] = value;
      break;
    case 9:
      copy = { ...object };
      copy[key] = value;
      break;
    case 10:
      copy = { ...object };
      copy[key] = value;
      break;
    case 11:
      copy = { ...object };
      copy[key] = value;
      break;
    case 12:
      copy = { ...object };
      copy[key] = value;
      break;
    case 13:
      copy = { ...object };
      copy[key] = value;
      break;
    case 14:
      copy = { ...object };
      copy[key] = value;
      break;
    default:
      copy = { ...object };
      copy[key] = value;
  }
  return copy;
}

/** A shallow copy. */
export function copyObject(object: OpenObject, mix: number): OpenObject {
  switch ((mix ^ (mix >> 4)) & 15) {
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
