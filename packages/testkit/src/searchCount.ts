/**
 * How many cases a search inside the tests tries. `npm test` tries a tenth of them; `npm run torture -- searches` runs
 * the same tests with all of them.
 */
export function searchCount(full: number): number {
  return process.env.SEARCHES === "full" ? full : Math.ceil(full / 10);
}
