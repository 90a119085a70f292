/** Whether the words of a search can be read in a value, as the beginnings of its words. */

const separators = /[\p{P}\p{S}\p{Z}\p{C}]+/u;

export function hasWords(value: unknown, search: string): boolean {
  const words = [...new Set(wordsOf(textsOf(value).join(" ")))];
  return wordsOf(search).every((sought) => words.some((word) => word.startsWith(sought)));
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
