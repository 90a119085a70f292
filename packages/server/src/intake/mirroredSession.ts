/** One session of the home as the store follows it. It knows nothing of folders and of when to look. */
import { interruptionOf } from "@callboard/agent-sdk";
import { evolve, initialState, type RunEvent, type RunState } from "@callboard/run-log";
import type { ForeignRuns } from "./foreignRuns.js";

export interface MirroredSessionOptions {
  readonly sessionId: string;
  readonly runs: ForeignRuns;
  readonly lastSeqs: (runIds: readonly string[]) => Promise<ReadonlyMap<string, number>>;
  /** Whole batches of events from a place in the file, and the place after them. */
  readonly read: (
    offset: number,
  ) => Promise<{ readonly events: readonly RunEvent[]; readonly offset: number }>;
  /** Whether a living program has the session. */
  readonly isHeld: () => boolean;
}

export interface MirroredSession {
  /** Whether a run is under way, as far as the file was read. */
  readonly isOpen: boolean;
  follow(): Promise<void>;
}

interface MirroredRun {
  state: RunState;
  at: number;
}

export function createMirroredSession(options: MirroredSessionOptions): MirroredSession {
  const { sessionId, runs, lastSeqs, read, isHeld } = options;
  const known = new Map<string, MirroredRun>();
  let offset = 0;

  const openRuns = (): readonly MirroredRun[] =>
    [...known.values()].filter(({ state }) => state.status === "open");

  function fold(events: readonly RunEvent[]): void {
    for (const event of events) {
      const run = known.get(event.runId) ?? { state: initialState, at: 0 };
      run.state = evolve(run.state, event);
      run.at = event.at;
      known.set(event.runId, run);
    }
  }

  /** What the store does not have yet. It is asked only when a file is read from its beginning. */
  async function newsIn(
    events: readonly RunEvent[],
    isFirst: boolean,
  ): Promise<readonly RunEvent[]> {
    if (!isFirst) return events;
    const ids = [...new Set(events.map(({ runId }) => runs.idOf(runId)))];
    const stored = await lastSeqs(ids);
    return events.filter(({ runId, seq }) => seq > (stored.get(runs.idOf(runId)) ?? 0));
  }

  return {
    get isOpen() {
      return openRuns().length > 0;
    },
    async follow() {
      // Asked before the file is read: a program that ends in between has written everything.
      const held = isHeld();
      for (;;) {
        const isFirst = offset === 0;
        const page = await read(offset);
        if (page.events.length === 0) break;
        fold(page.events);
        await keep(await newsIn(page.events, isFirst));
        offset = page.offset;
      }
      if (!held) await interrupt();
      if (openRuns().length === 0) await runs.release(sessionId);
    },
  };

  async function keep(events: readonly RunEvent[]): Promise<void> {
    if (events.length > 0) await runs.take({ sessions: [{ sessionId, events }], findings: [] });
  }

  /** Nested runs start later than the run that they work for, and end before it. */
  async function interrupt(): Promise<void> {
    const owed = openRuns()
      .toReversed()
      .flatMap(({ state, at }) => interruptionOf(state, at));
    fold(owed);
    await keep(await newsIn(owed, true));
  }
}
