/**
 * The shallow copy of an object, for snapshots, which make one for each open object.
 * An engine copies fast at a place in the program that meets few shapes, and slowly at one that meets
 * many; so objects with different keys are copied at different places. The cases are alike on purpose.
 * It never follows or changes what it copies.
 */

/** A sum over an object's keys: objects with the same keys, in order, have the same one. */
export function mixKey(mix: number, key: string): number {
  return (mix * 5 + key.length * 3 + key.charCodeAt(0)) & 0xffff;
}

export function copyObject<T extends object>(object: T, mix: number): T {
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
