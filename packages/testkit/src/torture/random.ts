/**
 * Seeded chance: the same seed makes the same choices on every machine, so a printed seed replays.
 * Not for secrets. It never reads the clock or the engine's own randomness.
 */
export interface Random {
  /** In [0, 1). */
  next(): number;
  /** A whole number in [0, n). */
  int(n: number): number;
  /** One of a list; an empty list is the caller's mistake and throws. */
  pick<T>(list: readonly T[]): T;
}

/** Mulberry32: 32 bits of state, good enough to spread test cases. */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  return randomFrom(() => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  });
}

/** The same choices drawn from another source of numbers in [0, 1). */
export function randomFrom(next: () => number): Random {
  const int = (n: number): number => Math.floor(next() * n);
  return {
    next,
    int,
    pick: (list) => {
      const at = int(list.length);
      for (const item of list.slice(at, at + 1)) return item;
      throw new RangeError("pick from an empty list");
    },
  };
}
