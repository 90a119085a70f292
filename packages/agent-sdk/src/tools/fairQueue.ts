/**
 * Work that is done one piece at a time, in turns: an owner with many pieces delays another by one of them. A piece that
 * no caller waits for is dropped before its turn; one that has started is done to its end.
 */

export interface FairQueue {
  /**
   * Resolves with what the work gives. Rejects at once if the owner has too much waiting, and with the reason of the
   * signal if that aborts before the turn of the work.
   */
  take<Value>(owner: string, work: () => Promise<Value>, signal?: AbortSignal): Promise<Value>;
}

/** The owner has as much work waiting as is accepted. */
export class QueueFullError extends Error {
  override readonly name = "QueueFullError";
}

export function createFairQueue(maxWaiting: number): FairQueue {
  const waiting = new Map<string, (() => Promise<void>)[]>();
  let isWorking = false;

  /** The first owner gives its oldest piece and goes to the end of the line. */
  function nextPiece(): (() => Promise<void>) | undefined {
    const [first] = waiting;
    if (first === undefined) return undefined;
    const [owner, pieces] = first;
    const piece = pieces.shift();
    waiting.delete(owner);
    if (pieces.length > 0) waiting.set(owner, pieces);
    return piece;
  }

  async function workOff(): Promise<void> {
    isWorking = true;
    for (let piece = nextPiece(); piece !== undefined; piece = nextPiece()) await piece();
    isWorking = false;
  }

  return {
    take<Value>(owner: string, work: () => Promise<Value>, signal?: AbortSignal) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const pieces = waiting.get(owner) ?? [];
      if (pieces.length >= maxWaiting) {
        const message = `${maxWaiting} of these are waiting already; try again in a moment`;
        return Promise.reject(new QueueFullError(message));
      }
      waiting.set(owner, pieces);
      const done = new Promise<Value>((resolve, reject) => {
        const piece = (): Promise<void> => {
          signal?.removeEventListener("abort", drop);
          return work().then(resolve, reject);
        };
        const drop = (): void => {
          const place = pieces.indexOf(piece);
          if (place < 0) return;
          pieces.splice(place, 1);
          if (pieces.length === 0 && waiting.get(owner) === pieces) waiting.delete(owner);
          reject(signal?.reason);
        };
        signal?.addEventListener("abort", drop, { once: true });
        pieces.push(piece);
      });
      if (!isWorking) void workOff();
      return done;
    },
  };
}
