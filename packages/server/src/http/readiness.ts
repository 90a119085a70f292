/**
 * Whether the dependencies of the server answer, for frequent checks: the last result is cached for a moment, and one
 * check runs at a time. It never throws.
 */
import type { Clock } from "@callboard/agent-sdk";

export interface ReadinessOptions {
  /** Rejects if there is no answer. */
  readonly ask: () => Promise<unknown>;
  readonly clock: Clock;
}

const freshMs = 1_000;
/** Balancers wait no longer. */
const answerTimeoutMs = 2_000;

export function createReadiness({ ask, clock }: ReadinessOptions): () => Promise<boolean> {
  let known: { readonly isThere: boolean; readonly at: number } | undefined;
  let asking: Promise<boolean> | undefined;

  async function asked(): Promise<boolean> {
    const isThere = await ask().then(
      () => true,
      () => false,
    );
    known = { isThere, at: clock.monotonic() };
    asking = undefined;
    return isThere;
  }

  return async () => {
    if (known !== undefined && clock.monotonic() - known.at < freshMs) return known.isThere;
    asking ??= asked();
    const over = new AbortController();
    const late = clock.sleep(answerTimeoutMs, over.signal).then(() => false);
    try {
      return await Promise.race([asking, late]);
    } finally {
      over.abort();
    }
  };
}
