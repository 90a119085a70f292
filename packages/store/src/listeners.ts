/** A set of callbacks that are called with an id. */
export interface Listeners {
  /** Gives how to stop listening. */
  add(listener: (id: string) => void): () => void;
  tell(id: string): void;
}

export function createListeners(): Listeners {
  const listeners = new Set<(id: string) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    tell(id) {
      for (const listener of [...listeners]) listener(id);
    },
  };
}

/** The same; calls before there is a listener are kept for the first listener. */
export function createKeptListeners(): Listeners {
  const listeners = createListeners();
  let kept: string[] | undefined = [];
  return {
    add(listener) {
      const before = kept ?? [];
      kept = undefined;
      for (const id of before) listener(id);
      return listeners.add(listener);
    },
    tell(id) {
      if (kept === undefined) listeners.tell(id);
      else kept.push(id);
    },
  };
}
