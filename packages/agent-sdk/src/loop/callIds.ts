/**
 * Call ids that are unique in a session and that the log takes. Providers repeat theirs (some count from
 * 0 in every answer), and some put much more into them than a name.
 */
export interface CallIds {
  /** The provider's id if it is free, otherwise the same with a number after it; truncated if it is too long. */
  take(wanted: string): string;
}

/** The log takes 512, and a number may follow. */
const longestId = 480;

/** As much of an id as the log takes. */
export function cutId(wanted: string): string {
  return wanted.slice(0, longestId);
}

export function createCallIds(taken: Iterable<string> = []): CallIds {
  const used = new Set(taken);
  return {
    take(wanted) {
      const base = wanted === "" ? "call" : cutId(wanted);
      let id = base;
      for (let count = 2; used.has(id); count += 1) id = `${base}_${count}`;
      used.add(id);
      return id;
    },
  };
}
