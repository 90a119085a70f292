/**
 * The output of calls by `_meta`, on its way to the client: one text for each terminal, in pieces of bounded size. One
 * update can name one terminal; it never loses or reorders a terminal's output.
 */
import { isJsonObject, type JsonValue } from "@callboard/run-log";
import { isSameJson } from "@callboard/run-log/values";
import { headOf, sizeOf } from "./contentSizes.js";
import { isOutput } from "./mergedUpdate.js";

export interface OutputPiece {
  /** The key of `_meta` for it. */
  readonly key: string;
  readonly value: JsonValue;
}

export interface OutputQueue {
  readonly size: number;
  readonly heldChars: number;
  /** Whether one update cannot carry all of it. */
  readonly hasSurplus: boolean;
  take(piece: OutputPiece): void;
  /** Takes the next piece out. */
  next(): OutputPiece | undefined;
  /** A piece that could not be written comes first again. */
  putBack(piece: OutputPiece): void;
}

export function createOutputQueue(maxText: number): OutputQueue {
  let waiting: readonly OutputPiece[] = [];
  const charsIn = ({ value }: OutputPiece): number => (isOutput(value) ? value.data.length : 0);

  return {
    get size() {
      return waiting.length;
    },
    get heldChars() {
      return waiting.reduce((held, { value }) => held + sizeOf(value), 0);
    },
    get hasSurplus() {
      const [first] = waiting;
      return waiting.length > 1 || (first !== undefined && charsIn(first) > maxText);
    },
    take(piece) {
      const at = waiting.findLastIndex((other) => isOfOne(other, piece));
      const joined = joinedPiece(waiting[at], piece);
      waiting = joined ? waiting.with(at, joined) : [...waiting, piece];
    },
    next() {
      const [first, ...rest] = waiting;
      if (first === undefined) return undefined;
      const { key, value } = first;
      waiting = rest;
      if (!isJsonObject(value) || !isOutput(value) || value.data.length <= maxText) return first;
      const data = headOf(value.data, maxText);
      waiting = [{ key, value: { ...value, data: value.data.slice(data.length) } }, ...rest];
      return { key, value: { ...value, data } };
    },
    putBack(piece) {
      const at = waiting.findIndex((other) => isOfOne(piece, other));
      const joined = joinedPiece(piece, waiting[at]);
      waiting = joined ? waiting.with(at, joined) : [piece, ...waiting];
    },
  };
}

/** Whether both are output of one terminal. A value that is no output is of none. */
function isOfOne(one: OutputPiece, other: OutputPiece): boolean {
  return (
    one.key === other.key &&
    isOutput(one.value) &&
    isOutput(other.value) &&
    isSameJson(one.value.terminal_id ?? null, other.value.terminal_id ?? null)
  );
}

/** Undefined if they say different things beside their data, which would be lost. */
function joinedPiece(
  earlier: OutputPiece | undefined,
  later: OutputPiece | undefined,
): OutputPiece | undefined {
  if (!earlier || !later || !isOutput(earlier.value) || !isOutput(later.value)) return undefined;
  const { data: before, ...rest } = earlier.value;
  const { data, ...others } = later.value;
  if (!isSameJson(rest, others)) return undefined;
  return { key: later.key, value: { ...others, data: before + data } };
}
