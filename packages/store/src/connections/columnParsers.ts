/**
 * How columns arrive, alike from a server and from PGlite: int8 and numeric as numbers, json as its own
 * text. A number that JavaScript cannot hold is an error, never another number.
 */
const int8 = 20;
const json = 114;
const numeric = 1700;

export const columnParsers: Readonly<Record<number, (text: string) => unknown>> = {
  [int8]: wholeNumberOf,
  [json]: (text) => text,
  [numeric]: Number,
};

export function wholeNumberOf(text: string): number {
  const number = Number(text);
  if (!Number.isSafeInteger(number)) throw new RangeError(`${text} is too large a number to read`);
  return number;
}
