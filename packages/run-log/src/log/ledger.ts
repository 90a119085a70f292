/**
 * A persistent map for things that live for a while and then settle: calls, messages, parts.
 * Changing an open entry costs the number of open entries, never the number of settled ones;
 * settling costs O(log n) amortised. Old versions stay valid, as a fold needs.
 */
export interface Ledger<Key, Value> {
  /** In the order of opening. */
  readonly open: ReadonlyMap<Key, Value>;
  /** Frozen generations of settled entries, each at least twice as large as the next. */
  readonly settled: readonly ReadonlyMap<Key, Value>[];
  readonly size: number;
}

export function createLedger<Key, Value>(): Ledger<Key, Value> {
  return { open: new Map(), settled: [], size: 0 };
}

export function entryOf<Key, Value>(ledger: Ledger<Key, Value>, key: Key): Value | undefined {
  const open = ledger.open.get(key);
  if (open !== undefined) return open;
  for (const generation of ledger.settled) {
    const value = generation.get(key);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Adds an open entry or replaces it; its place in the order is kept. */
export function withOpen<Key, Value>(
  ledger: Ledger<Key, Value>,
  key: Key,
  value: Value,
): Ledger<Key, Value> {
  const isNew = !ledger.open.has(key);
  return {
    open: withEntry(ledger.open, key, value),
    settled: ledger.settled,
    size: isNew ? ledger.size + 1 : ledger.size,
  };
}

/** Replaces an entry that is open. */
export function withChanged<Key, Value>(
  { open, settled, size }: Ledger<Key, Value>,
  key: Key,
  value: Value,
): Ledger<Key, Value> {
  return { open: withEntry(open, key, value), settled, size };
}

function withEntry<Key, Value>(
  open: ReadonlyMap<Key, Value>,
  key: Key,
  value: Value,
): ReadonlyMap<Key, Value> {
  // Most often one text grows and nothing else is open: a new map is much cheaper than a copy.
  const isAlone = open.size === 0 || (open.size === 1 && open.has(key));
  return isAlone ? new Map<Key, Value>().set(key, value) : new Map(open).set(key, value);
}

/** Moves an entry to the settled ones. A settled entry is never touched again. */
export function withSettled<Key, Value>(
  ledger: Ledger<Key, Value>,
  key: Key,
  value: Value,
): Ledger<Key, Value> {
  const open = new Map(ledger.open);
  const wasOpen = open.delete(key);
  const settled = [...ledger.settled];
  let newest: ReadonlyMap<Key, Value> = new Map([[key, value]]);
  for (let older = settled.at(-1); older && older.size <= newest.size; older = settled.at(-1)) {
    settled.pop();
    newest = new Map([...older, ...newest]);
  }
  settled.push(newest);
  return { open, settled, size: wasOpen ? ledger.size : ledger.size + 1 };
}
