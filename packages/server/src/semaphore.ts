/** A line in front of something that serves only so many at once: first come, first served. */
export interface Semaphore {
  /** Resolves when it is one's turn, with what ends it. */
  enter(): Promise<() => void>;
}

export function createSemaphore(atOnce: number): Semaphore {
  const waiting: (() => void)[] = [];
  let served = 0;

  function leave(): void {
    const next = waiting.shift();
    if (next) next();
    else served -= 1;
  }

  return {
    async enter() {
      if (served < atOnce) served += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let hasLeft = false;
      return () => {
        if (!hasLeft) leave();
        hasLeft = true;
      };
    },
  };
}
