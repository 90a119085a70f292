/** Runs one part over many seeds, or over one. It keeps the first failures and counts the rest. */
import type { TorturePart } from "./torturePart.js";

export interface TortureResult {
  readonly part: TorturePart;
  readonly count: number;
  readonly failureCount: number;
  readonly failures: readonly { readonly seed: number; readonly reason: string }[];
}

const mostKept = 10;

export function tortured(
  part: TorturePart,
  seeds: Iterable<number>,
  onProgress: (done: number) => void = () => {},
): TortureResult {
  const failures: { seed: number; reason: string }[] = [];
  let count = 0;
  let failureCount = 0;
  for (const seed of seeds) {
    const reason = part.tryCase(seed);
    count += 1;
    if (reason !== undefined) {
      failureCount += 1;
      if (failures.length < mostKept) failures.push({ seed, reason });
    }
    if (count % 1_000 === 0) onProgress(count);
  }
  return { part, count, failureCount, failures };
}

export function* seedsUpTo(count: number): Generator<number> {
  for (let seed = 1; seed <= count; seed += 1) yield seed;
}
