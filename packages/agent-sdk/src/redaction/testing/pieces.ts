/** Text in pieces, and what a stream makes of them. */
import { createRedactor } from "../redaction.js";
import type { Dice } from "./plantedSecrets.js";

/** The text in random pieces, mostly small ones. */
export function piecesOf(text: string, dice: Dice): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const length = 1 + dice.below(dice.below(4) === 0 ? 40 : 5);
    pieces.push(text.slice(from, from + length));
    from += length;
  }
  return pieces;
}

export const streamed = (pieces: readonly string[], redactor = createRedactor()): string => {
  const stream = redactor.createStreamRedactor();
  return pieces.map((piece) => stream.push(piece)).join("") + stream.flush();
};
