/** The lines that an edit took out and put in. Linear: what both texts begin and end with is left out. */
export function changedLines(
  oldText: string,
  newText: string,
): { readonly removed: readonly string[]; readonly added: readonly string[] } {
  const before = linesOf(oldText);
  const after = linesOf(newText);
  const shortest = Math.min(before.length, after.length);
  let head = 0;
  while (head < shortest && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < shortest - head && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return {
    removed: before.slice(head, before.length - tail),
    added: after.slice(head, after.length - tail),
  };
}

function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}
