/**
 * The output of calls by `_meta`, on its way to the client: one text for each terminal, in pieces of bounded size. One
 * update can name one terminal; it never loses or reorders a terminal's output.
 */
import { isJsonObject, type JsonValue } from "@callboard/run-log";
import { headOf, sizeOf } from "./contentSizes.js";
import { isOutput, joinedOutput } from "./mergedUpdate.js";

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
  let waiting = new Map<string, OutputPiece>();
  let oddities = 0;

  /** A value that is not output of a terminal is not joined. */
  function nameOf({ key, value }: OutputPiece): string {
    if (isOutput(value)) return JSON.stringify([key, value.terminal_id ?? null]);
    oddities += 1;
    return `odd ${oddities}`;
  }

  function add(into: Map<string, OutputPiece>, name: string, { key, value }: OutputPiece): void {
    into.set(name, { key, value: joinedOutput(into.get(name)?.value, value) });
  }

  return {
    get size() {
      return waiting.size;
    },
    get heldChars() {
      let held = 0;
      for (const { value } of waiting.values()) held += sizeOf(value);
      return held;
    },
    get hasSurplus() {
      const [first] = waiting.values();
      return waiting.size > 1 || (first !== undefined && charsOf(first.value) > maxText);
    },
    take: (piece) => add(waiting, nameOf(piece), piece),
    next() {
      const [first] = waiting;
      if (first === undefined) return undefined;
      const [name, { key, value }] = first;
      if (!isJsonObject(value) || !isOutput(value) || value.data.length <= maxText) {
        waiting.delete(name);
        return { key, value };
      }
      const data = headOf(value.data, maxText);
      waiting.set(name, { key, value: { ...value, data: value.data.slice(data.length) } });
      return { key, value: { ...value, data } };
    },
    putBack(piece) {
      const all = new Map([[nameOf(piece), piece]]);
      for (const [name, later] of waiting) add(all, name, later);
      waiting = all;
    },
  };
}

function charsOf(value: JsonValue): number {
  return isOutput(value) ? value.data.length : 0;
}
