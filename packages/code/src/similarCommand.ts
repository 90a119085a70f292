/** The command that a mistyped word probably means; undefined if it may be a prompt. Pure. */
export function similarCommand(word: string, names: readonly string[]): string | undefined {
  if (!/^[a-z-]{3,}$/.test(word)) return undefined;
  return names.find((name) => name !== word && distanceOf(word, name) <= (name.length > 4 ? 2 : 1));
}

/** How many letters have to be put in, taken out or changed. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [at, against] of [...other].entries()) {
      const changed = (row[at] ?? 0) + (letter === against ? 0 : 1);
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
