/**
 * The work of an agent, in order: the first item is running, the others wait. It knows which run each item starts; the
 * agent does the work.
 */

/** The agent was destroyed: it takes no more messages. */
export class AgentDestroyedError extends Error {
  override readonly name = "AgentDestroyedError";
  constructor() {
    super("this agent was destroyed: create another one");
  }
}

export interface TurnOptions {
  /** Aborts it, also while it waits. */
  readonly signal?: AbortSignal | undefined;
  /** The run that it starts; undefined once it is known that it starts none. */
  readonly runId?: (() => string | undefined) | undefined;
}

export interface AgentTurns {
  readonly isBusy: boolean;
  readonly isClosed: boolean;
  /** The first run after the one that is under way. */
  readonly nextRunId: string | undefined;
  add<Value>(
    work: (abort: AbortController) => Promise<Value>,
    options?: TurnOptions,
  ): Promise<Value>;
  /** Ends the running item. Waiting items stay. */
  abort(reason: string): void;
  /** Takes nothing more, aborts everything, and resolves when all of it is over. */
  close(reason: string): Promise<void>;
}

interface Turn {
  readonly abort: AbortController;
  readonly runId: () => string | undefined;
}

export function createAgentTurns(): AgentTurns {
  const turns: Turn[] = [];
  let last: Promise<unknown> = Promise.resolve();
  let closedBecause: string | undefined;
  return {
    get isBusy() {
      return turns.length > 0;
    },
    get isClosed() {
      return closedBecause !== undefined;
    },
    get nextRunId() {
      if (closedBecause !== undefined) return undefined;
      for (const { runId } of turns.slice(1)) {
        const id = runId();
        if (id !== undefined) return id;
      }
      return undefined;
    },
    add(work, { signal, runId = () => undefined } = {}) {
      if (closedBecause !== undefined) return Promise.reject(new AgentDestroyedError());
      const abort = new AbortController();
      turns.push({ abort, runId });
      const turn = last.then(async () => {
        if (closedBecause !== undefined) abort.abort(closedBecause);
        const follow = (): void => abort.abort(signal?.reason ?? "cancelled");
        if (signal?.aborted) follow();
        signal?.addEventListener("abort", follow, { once: true });
        try {
          return await work(abort);
        } finally {
          signal?.removeEventListener("abort", follow);
          turns.shift();
        }
      });
      // The caller gets its failure; the items behind it continue.
      last = turn.catch(() => undefined);
      return turn;
    },
    abort: (reason) => turns[0]?.abort.abort(reason),
    async close(reason) {
      closedBecause ??= reason;
      turns[0]?.abort.abort(reason);
      await last;
    },
  };
}
