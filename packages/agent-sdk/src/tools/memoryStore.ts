/**
 * The memory of an agent, as an interface. An entry of short or medium term expires. The store never reads a clock; the
 * time is an argument.
 */
export const memoryTerms = ["short", "medium", "long"] as const;
export type MemoryTerm = (typeof memoryTerms)[number];

/** `expiresAt` is in milliseconds since the epoch; without it an entry stays. */
export interface MemoryEntry {
  readonly key: string;
  readonly text: string;
  readonly term: MemoryTerm;
  readonly storedAt: number;
  readonly expiresAt?: number | undefined;
}

export interface MemoryStore {
  /** Replaces the value of the key. If there are too many, the oldest are removed. */
  put(entry: MemoryEntry, now: number): Promise<void>;
  get(key: string, now: number): Promise<MemoryEntry | undefined>;
  /** Newest first. */
  list(now: number): Promise<readonly MemoryEntry[]>;
  /** Whether there was such an entry. */
  remove(key: string, now: number): Promise<boolean>;
}

const hour = 60 * 60 * 1000;
export const maxMemoryEntries = 1000;

export function expiryOf(term: MemoryTerm, now: number): number | undefined {
  switch (term) {
    case "short":
      return now + hour;
    case "medium":
      return now + 7 * 24 * hour;
    case "long":
      return undefined;
    default:
      return term satisfies never;
  }
}

/** Those still valid, in the order of their storing. */
export function livingEntries(entries: Iterable<MemoryEntry>, now: number): readonly MemoryEntry[] {
  return [...entries].filter(({ expiresAt }) => expiresAt === undefined || expiresAt > now);
}

export function createInMemoryStore(): MemoryStore {
  let entries = new Map<string, MemoryEntry>();
  function current(now: number): Map<string, MemoryEntry> {
    entries = new Map(livingEntries(entries.values(), now).map((entry) => [entry.key, entry]));
    return entries;
  }
  return {
    async put(entry, now) {
      const living = current(now);
      living.delete(entry.key);
      living.set(entry.key, entry);
      for (const key of [...living.keys()].slice(0, -maxMemoryEntries)) living.delete(key);
    },
    get: async (key, now) => current(now).get(key),
    list: async (now) => [...current(now).values()].reverse(),
    remove: async (key, now) => current(now).delete(key),
  };
}
