/** One at a time, in the order of asking. */
export interface Mutex {
  /** Resolves when it is one's turn, with what ends it. */
  enter(): Promise<() => void>;
  /** Whether it is unlocked and has no waiters. */
  isEmpty(): boolean;
}

export function createMutex(): Mutex {
  let last: Promise<void> = Promise.resolve();
  let inside = 0;
  return {
    async enter() {
      const before = last;
      let open = (): void => {};
      last = new Promise((resolve) => {
        open = resolve;
      });
      inside += 1;
      await before;
      return () => {
        inside -= 1;
        open();
      };
    },
    isEmpty: () => inside === 0,
  };
}
