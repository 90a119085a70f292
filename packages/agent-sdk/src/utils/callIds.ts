/** Call ids that are unique in a session. Providers repeat theirs: some count from 0 in every answer. */
export interface CallIds {
  /** The provider's id where it is free, else the same with a number behind it. */
  take(wanted: string): string;
}

export function createCallIds(taken: Iterable<string> = []): CallIds {
  const used = new Set(taken);
  return {
    take(wanted) {
      const base = wanted === "" ? "call" : wanted;
      let id = base;
      for (let count = 2; used.has(id); count += 1) id = `${base}_${count}`;
      used.add(id);
      return id;
    },
  };
}
