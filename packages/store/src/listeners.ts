/** A set of callbacks that are called with a run id. */
export interface Listeners {
  /** Gives how to stop listening. */
  add(listener: (runId: string) => void): () => void;
  tell(runId: string): void;
}

export function createListeners(): Listeners {
  const listeners = new Set<(runId: string) => void>();
  return {
    add(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    tell(runId) {
      for (const listener of [...listeners]) listener(runId);
    },
  };
}
