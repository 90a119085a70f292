/**
 * How many cases a search inside the tests tries: all of them in `npm run torture -- searches`, a tenth in `npm test`,
 * and a fortieth in `npm run test:quick`.
 */
const parts = { full: 1, tenth: 10, fortieth: 40 } as const;

export function searchCount(full: number): number {
  return Math.ceil(full / parts[searchPart()]);
}

/** All of them, or in `npm run test:quick` every fifth: for searches of few cases that take long. */
export function searchedOf<T>(items: readonly T[]): readonly T[] {
  return searchPart() === "fortieth" ? items.filter((_, index) => index % 5 === 0) : items;
}

function searchPart(): keyof typeof parts {
  const { SEARCHES } = process.env;
  return SEARCHES === "full" || SEARCHES === "fortieth" ? SEARCHES : "tenth";
}
