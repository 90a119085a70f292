/**
 * The changes between two texts, by lines: the common first lines, the removed, the added, the common last lines.
 * Linear; it does not search for more matches in the middle.
 */
import type { DiffPiece } from "./messages.js";

export function lineDiff(oldText: string, newText: string): readonly DiffPiece[] {
  const before = comparedLines(oldText);
  const after = comparedLines(newText);
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  const removed = before.slice(head, before.length - tail).join("");
  const added = after.slice(head, after.length - tail).join("");
  return [
    { value: before.slice(0, head).join("") },
    { value: removed, removed: true as const },
    { value: added, added: true as const },
    { value: before.slice(before.length - tail).join("") },
  ].filter((piece) => piece.value !== "");
}

function comparedLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
