/**
 * The bytes that a terminal of v2 printed and that wait to be sent. They are one stream, cut between characters; bytes
 * that came with fields of their own, such as `_meta`, stay one update.
 */
import type { JsonObject } from "@callboard/run-log";

export interface TerminalPiece {
  readonly bytes: Buffer;
  /** The fields of the update beside its bytes. */
  readonly beside: JsonObject;
}

export interface TerminalPieces {
  readonly size: number;
  readonly heldBytes: number;
  take(piece: TerminalPiece): void;
  /** Takes the next piece out. */
  next(): TerminalPiece | undefined;
  /** A piece that could not be written comes first again. */
  putBack(piece: TerminalPiece): void;
  clear(): void;
}

export function createTerminalPieces(longest: number): TerminalPieces {
  let waiting: TerminalPiece[] = [];
  let held = 0;

  function putBack(piece: TerminalPiece): void {
    waiting = [piece, ...waiting];
    held += piece.bytes.length;
  }

  /** The pieces at the front that are one stream. */
  function front(): TerminalPiece | undefined {
    const [first] = waiting;
    if (first === undefined) return undefined;
    const other = waiting.findIndex((piece) => !isPlain(piece));
    const end = other === -1 ? waiting.length : Math.max(1, other);
    const joined = waiting.slice(0, end);
    waiting = waiting.slice(end);
    return { bytes: Buffer.concat(joined.map(({ bytes }) => bytes)), beside: first.beside };
  }

  return {
    get size() {
      return waiting.length;
    },
    get heldBytes() {
      return held;
    },
    take(piece) {
      if (piece.bytes.length === 0 && isPlain(piece)) return;
      waiting.push(piece);
      held += piece.bytes.length;
    },
    next() {
      const piece = front();
      if (piece === undefined) return undefined;
      held -= piece.bytes.length;
      const end = characterEnd(piece.bytes, longest);
      if (end < piece.bytes.length) putBack({ bytes: piece.bytes.subarray(end), beside: {} });
      return { bytes: piece.bytes.subarray(0, end), beside: piece.beside };
    },
    putBack,
    clear() {
      waiting = [];
      held = 0;
    },
  };
}

const isPlain = ({ beside }: TerminalPiece): boolean => Object.keys(beside).length === 0;

/** Where to cut bytes so that no character of UTF-8 is cut; at least one byte is taken. */
export function characterEnd(bytes: Buffer, length: number): number {
  if (bytes.length <= length) return bytes.length;
  for (let end = length; end > Math.max(0, length - 4); end -= 1) {
    if (((bytes[end] ?? 0) & 0xc0) !== 0x80) return end;
  }
  return length;
}
