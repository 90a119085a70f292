/** One session of the home as the store follows it. It knows nothing of folders and of when to look. */
import { interruptionOf, type TailPage } from "@callboard/agent-sdk/sessions";
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
  /** The same of the runs under way, which are in a file of their own until they have ended. */
  readonly readTail: (after: Pick<TailPage, "offset" | "head">) => Promise<TailPage>;
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
  const { sessionId, runs, lastSeqs, read, readTail, isHeld } = options;
  const known = new Map<string, MirroredRun>();
  /** Runs whose stored position was queried: any further stored events come from here. */
  const asked = new Set<string>();
  let offset = 0;
  let tail: Pick<TailPage, "offset" | "head"> = { offset: 0, head: "" };

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

  /** A run that came to rest is in both files: it is taken once. */
  const unseen = (events: readonly RunEvent[]): readonly RunEvent[] =>
    events.filter(({ runId, seq }) => seq > (known.get(runId)?.state.seq ?? 0));

  /** The events that the store does not have yet. It is queried once about each run. */
  async function newsIn(events: readonly RunEvent[]): Promise<readonly RunEvent[]> {
    const ids = [...new Set(events.map(({ runId }) => runs.idOf(runId)))];
    const unknown = ids.filter((id) => !asked.has(id));
    if (unknown.length === 0) return events;
    const stored = await lastSeqs(unknown);
    for (const id of unknown) asked.add(id);
    return events.filter(({ runId, seq }) => seq > (stored.get(runs.idOf(runId)) ?? 0));
  }

  return {
    get isOpen() {
      return openRuns().length > 0;
    },
    async follow() {
      // Asked before the file is read: a program that ends in between has written everything.
      const held = isHeld();
      // The tail is read before the log: a run that comes to rest in between is seen in one of them. It is taken after
      // the log, whose runs are older.
      const underWay: (readonly RunEvent[])[] = [];
      let after = tail;
      for (;;) {
        const page = await readTail(after);
        after = page;
        if (page.events.length === 0) break;
        underWay.push(page.events);
      }
      for (;;) {
        const page = await read(offset);
        if (page.events.length === 0) break;
        await take(page.events);
        offset = page.offset;
      }
      for (const events of underWay) await take(events);
      tail = after;
      if (!held) await interrupt();
      if (openRuns().length === 0) await runs.release(sessionId);
    },
  };

  async function take(events: readonly RunEvent[]): Promise<void> {
    const news = unseen(events);
    fold(news);
    await keep(await newsIn(news));
  }

  async function keep(events: readonly RunEvent[]): Promise<void> {
    if (events.length > 0) await runs.take({ sessions: [{ sessionId, events }], findings: [] });
  }

  /** Nested runs start later than the run that they work for, and end before it. */
  async function interrupt(): Promise<void> {
    const owed = openRuns()
      .toReversed()
      .flatMap(({ state, at }) => interruptionOf(state, at));
    fold(owed);
    await keep(await newsIn(owed));
  }
}
