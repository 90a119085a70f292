/** Runs one part over many seeds, or over one. It keeps the first failures and counts the rest. */

import type { CaseReport, TorturePart } from "./torturePart.js";
import { type CaseFailure, nothingTried, type TriedCases, triedSeedsFrom } from "./triedCases.js";

/** Called while it continues: a long search may be stopped before its table. */
export interface TortureWatcher {
  /** `tried` has all that a later run needs to continue after this case. */
  readonly onProgress?: (done: number, tried: () => TriedCases) => void;
  /** How far a case is that takes long. */
  readonly onStep?: (howFar: string) => void;
  readonly onFailure?: (failure: CaseFailure) => void;
}

export interface TortureResult {
  readonly part: TorturePart;
  readonly count: number;
  readonly failureCount: number;
  /** In the order of their seeds. */
  readonly failures: readonly CaseFailure[];
  readonly figures: Readonly<Record<string, number>>;
}

const mostKept = 10;

/** Continues after the cases in `before`: their seeds are not tried again, and what they showed is part of the result. */
export async function tortured(
  part: TorturePart,
  seeds: Iterable<number>,
  { onProgress, onStep, onFailure }: TortureWatcher = {},
  before: TriedCases = nothingTried,
): Promise<TortureResult> {
  const failures: CaseFailure[] = [...before.failures];
  const figures: Record<string, number> = { ...before.figures };
  const underWay = new Set<Promise<void>>();
  const triedSeeds = triedSeedsFrom(before);
  let count = before.upTo + before.beyond.length;
  let { failureCount } = before;

  const triedNow = (): TriedCases => ({
    ...triedSeeds.read(),
    ...{ failureCount, failures: [...failures], figures: { ...figures } },
  });

  function note(seed: number, reason: string | undefined): void {
    count += 1;
    triedSeeds.add(seed);
    if (reason !== undefined) {
      failureCount += 1;
      if (failures.length < mostKept) failures.push({ seed, reason });
      onFailure?.({ seed, reason });
    }
    onProgress?.(count, triedNow);
  }

  function follow(seed: number, tried: Promise<CaseReport>): void {
    const followed = tried
      .then(
        (report) => {
          for (const [name, figure] of Object.entries(report.figures)) {
            figures[name] = (figures[name] ?? 0) + figure;
          }
          note(seed, report.failure);
        },
        (error: unknown) => note(seed, `threw ${failureText(error)}`),
      )
      .finally(() => underWay.delete(followed));
    underWay.add(followed);
  }

  for (const seed of seeds) {
    if (triedSeeds.has(seed)) continue;
    const tried = part.tryCase(seed, (howFar) => onStep?.(howFar));
    if (!(tried instanceof Promise)) {
      note(seed, tried);
      continue;
    }
    follow(seed, tried);
    if (underWay.size >= (part.concurrency ?? 1)) await Promise.race(underWay);
  }
  await Promise.all(underWay);
  failures.sort((one, other) => one.seed - other.seed);
  return { part, count, failureCount, failures, figures };
}

function failureText(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

export function* seedsUpTo(count: number): Generator<number> {
  for (let seed = 1; seed <= count; seed += 1) yield seed;
}
