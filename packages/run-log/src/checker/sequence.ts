/**
 * The numbers that a stream gives to its lines: the position of the event that a line reports. Several kinds of line may
 * report one event and some events have no line, so gaps are allowed here. Going back, repeating a number and omitting
 * the number are faults.
 */
import { type Remark, violation } from "./rules.js";

export interface Sequence {
  /** A stream without any number is left alone; once a line has one, every later line needs one. */
  next(seq: number | undefined, kind: string): readonly Remark[];
}

export function createSequence(): Sequence {
  let last: number | undefined;
  const kinds = new Set<string>();
  return {
    next(seq, kind) {
      if (seq === undefined) {
        return last === undefined ? [] : [violation("seq-missing", `no number after seq ${last}`)];
      }
      if (last !== undefined && seq < last) {
        return [violation("seq-repeated", `seq ${seq} after seq ${last}`)];
      }
      if (seq !== last) kinds.clear();
      last = seq;
      if (kinds.has(kind)) return [violation("seq-repeated", `seq ${seq} twice for ${kind}`)];
      kinds.add(kind);
      return [];
    },
  };
}
