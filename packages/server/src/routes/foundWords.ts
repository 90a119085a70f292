/** Whether the words of a search can be read in a value, as the beginnings of its words. */

const separators = /[\p{P}\p{S}\p{Z}\p{C}]+/u;

export function hasWords(value: unknown, search: string): boolean {
  const words = [...new Set(wordsOf(textsOf(value).join(" ")))].toSorted(byUnits);
  return wordsOf(search).every((word) => firstFrom(words, word)?.startsWith(word) === true);
}

function byUnits(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** The first of sorted words that is not before this one. */
function firstFrom(words: readonly string[], word: string): string | undefined {
  let low = 0;
  let high = words.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((words[middle] ?? "") < word) low = middle + 1;
    else high = middle;
  }
  return words[low];
}

function wordsOf(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(separators)
    .filter((word) => word !== "");
}

/** The texts and numbers in it, not the names of its fields. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(textsOf) : [];
}
