/** What the page watches, counted: several components may watch the same. */
export type WatchedKind = "run" | "conversation" | "mine";

export interface Watched {
  /** Ends with the function that is given back; calling it again does nothing. */
  add(kind: WatchedKind, id: string): () => void;
  ids(kind: WatchedKind): readonly string[];
  has(kind: WatchedKind, id: string): boolean;
  /** The same for the same set. */
  readonly key: string;
}

export function createWatched(onChange: () => void): Watched {
  const counts: Readonly<Record<WatchedKind, Map<string, number>>> = {
    run: new Map(),
    conversation: new Map(),
    mine: new Map(),
  };
  return {
    add(kind, id) {
      const known = counts[kind];
      known.set(id, (known.get(id) ?? 0) + 1);
      onChange();
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        const left = (known.get(id) ?? 1) - 1;
        if (left === 0) known.delete(id);
        else known.set(id, left);
        onChange();
      };
    },
    ids: (kind) => [...counts[kind].keys()],
    has: (kind, id) => counts[kind].has(id),
    get key() {
      const names = (["run", "conversation", "mine"] as const).flatMap((kind) =>
        [...counts[kind].keys()].map((id) => `${kind} ${id}`),
      );
      return names.toSorted((one, other) => (one < other ? -1 : 1)).join("\n");
    },
  };
}
