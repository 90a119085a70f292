/**
 * How many cases a search inside the tests tries: all of them in `npm run torture -- searches`, a tenth in `npm test`,
 * and a fortieth in `npm run test:quick`.
 */
const parts = { full: 1, tenth: 10, fortieth: 40 } as const;

export function searchCount(full: number): number {
  const { SEARCHES } = process.env;
  const part = SEARCHES === "full" || SEARCHES === "fortieth" ? SEARCHES : "tenth";
  return Math.ceil(full / parts[part]);
}
