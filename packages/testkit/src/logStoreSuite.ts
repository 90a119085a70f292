/**
 * What every log store must do, in any storage. A store that does not support a case declares it with a reason; a skip
 * that names no case fails, so that skips stay current.
 */
import {
  conversationId,
  createRecorder,
  type LogStore,
  type RunEvent,
  type RunId,
  runId,
  type Timed,
} from "@callboard/run-log";
import type { Appended } from "@callboard/run-log/writing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lives } from "./lives/index.js";

/** What the suite is handed: a store that is empty, and how to leave it. */
export interface StoreUnderTest {
  readonly store: LogStore;
  readonly close?: () => Promise<void>;
  /** How many tails wait for events, if the store counts them. */
  readonly waitingTails?: () => number;
}

interface ScriptedRun {
  readonly runId: RunId;
  readonly log: readonly RunEvent[];
}

type Case = (under: StoreUnderTest) => Promise<void>;

const stories = lives.filter(({ log }) => JSON.stringify(log).length < 50_000);

/** A log of `length` events, the last of which closes the run. */
function scriptedRun(name: string, length: number): ScriptedRun {
  const id = runId(name);
  const recorder = createRecorder(() => 1_800_000_000_000);
  const log: RunEvent[] = [];
  const record = (intent: Timed): void => {
    const decision = recorder.propose(intent);
    if (decision.status === "accepted") log.push(...decision.events);
  };
  const conversation = conversationId("conv_1");
  record({ type: "startRun", runId: id, conversationId: conversation, model: "rehearsal" });
  while (log.length < length - 1) record({ type: "reportStatus", status: `step ${log.length}` });
  record({ type: "closeRun", outcome: "ok" });
  return { runId: id, log };
}

async function appendAll(store: LogStore, { runId: id, log }: ScriptedRun): Promise<void> {
  for (const event of log) await store.append(id, event.seq - 1, [event]);
}

/** Reads a tail to its end, or until it has shown `most` events. */
async function readTail(
  tail: AsyncIterable<RunEvent>,
  most = Number.POSITIVE_INFINITY,
): Promise<readonly RunEvent[]> {
  const events: RunEvent[] = [];
  if (most === 0) return events;
  for await (const event of tail) {
    events.push(event);
    if (events.length >= most) break;
  }
  return events;
}

const seqs = (events: readonly RunEvent[]): readonly number[] => events.map((event) => event.seq);
const appended = (seq: number): Appended => ({ status: "appended", seq });
const conflict = (seq: number): Appended => ({ status: "conflict", seq });

const cases = {
  "keeps a log in order and without gaps": async ({ store }) => {
    const run = scriptedRun("run_order", 20);
    for (const event of run.log) {
      expect(await store.append(run.runId, event.seq - 1, [event])).toEqual(appended(event.seq));
    }
    expect(seqs(await store.read(run.runId, { after: 0 }))).toEqual(seqs(run.log));
  },

  "gives events back deep-equal": async ({ store }) => {
    for (const { log } of stories) {
      const [first] = log;
      if (!first) continue;
      await store.append(first.runId, 0, log);
      expect(await store.read(first.runId, { after: 0 })).toEqual(log);
    }
  },

  "refuses an append at another position and says where the log ends": async ({ store }) => {
    const { runId: id, log } = scriptedRun("run_conflict", 6);
    await store.append(id, 0, log.slice(0, 3));
    expect(await store.append(id, 2, log.slice(2, 3))).toEqual(conflict(3));
    expect(await store.append(id, 4, log.slice(4, 5))).toEqual(conflict(3));
    expect(await store.append(id, 0, log.slice(0, 3))).toEqual(conflict(3));
    expect(await store.read(id, { after: 0 })).toEqual(log.slice(0, 3));
  },

  "refuses events whose own positions do not follow": async ({ store }) => {
    const { runId: id, log } = scriptedRun("run_misplaced", 6);
    await store.append(id, 0, log.slice(0, 2));
    expect(await store.append(id, 2, log.slice(3, 5))).toEqual(conflict(2));
    expect(await store.append(id, 2, log.slice(2, 4).toReversed())).toEqual(conflict(2));
    expect(await store.read(id, { after: 0 })).toEqual(log.slice(0, 2));
  },

  "lets one of two writers win, and tells the loser where the log is": async ({ store }) => {
    const { runId: id, log } = scriptedRun("run_writers", 30);
    for (const event of log) {
      const answers = await Promise.all([
        store.append(id, event.seq - 1, [event]),
        store.append(id, event.seq - 1, [event]),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual(["appended", "conflict"]);
      expect(answers.map(({ seq }) => seq)).toEqual([event.seq, event.seq]);
    }
    expect(await store.read(id, { after: 0 })).toEqual(log);
  },

  "appends a batch as a whole or not at all": async ({ store }) => {
    const { runId: id, log } = scriptedRun("run_batch", 12);
    await store.append(id, 0, log.slice(0, 4));
    const answers = await Promise.all([
      store.append(id, 4, log.slice(4, 9)),
      store.append(id, 4, log.slice(4, 6)),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual(["appended", "conflict"]);
    const end = answers[0]?.status === "appended" ? 9 : 6;
    expect(await store.read(id, { after: 0 })).toEqual(log.slice(0, end));
  },

  "appends nothing and says where the log ends": async ({ store }) => {
    const { runId: id, log } = scriptedRun("run_nothing", 4);
    expect(await store.append(id, 0, [])).toEqual(appended(0));
    await store.append(id, 0, log.slice(0, 2));
    expect(await store.append(id, 2, [])).toEqual(appended(2));
    expect(await store.append(id, 0, [])).toEqual(conflict(2));
    expect(await store.read(id, { after: 0 })).toEqual(log.slice(0, 2));
  },

  "keeps what it was given although the giver changes its list": async ({ store }) => {
    const { runId: id, log } = scriptedRun("run_handed_over", 5);
    const batch = [...log];
    await store.append(id, 0, batch);
    batch.length = 0;
    expect(await store.read(id, { after: 0 })).toEqual(log);
  },

  "reads after a position and up to a limit": async ({ store }) => {
    const { runId: id, log } = scriptedRun("run_pages", 10);
    await store.append(id, 0, log);
    expect(seqs(await store.read(id, { after: 7 }))).toEqual([8, 9, 10]);
    expect(seqs(await store.read(id, { after: 2, limit: 3 }))).toEqual([3, 4, 5]);
    expect(seqs(await store.read(id, { after: 8, limit: 5 }))).toEqual([9, 10]);
    expect(await store.read(id, { after: 3, limit: 0 })).toEqual([]);
    expect(await store.read(id, { after: 10 })).toEqual([]);
    expect(await store.read(id, { after: 99 })).toEqual([]);
  },

  "reads an unknown run as empty": async ({ store }) => {
    expect(await store.read(runId("run_nobody"), { after: 0 })).toEqual([]);
  },

  "does not mix runs": async ({ store }) => {
    const runs = ["run_a", "run_b", "run_c"].map((name) => scriptedRun(name, 15));
    await Promise.all(runs.map((run) => appendAll(store, run)));
    for (const { runId: id, log } of runs) {
      expect(await store.read(id, { after: 0 })).toEqual(log);
      expect(await readTail(store.tail(id, { after: 0 }))).toEqual(log);
    }
  },

  "tails a finished run from any position and ends": async ({ store }) => {
    const { runId: id, log } = scriptedRun("run_finished", 8);
    await store.append(id, 0, log);
    for (let after = 0; after <= log.length; after += 1) {
      expect(await readTail(store.tail(id, { after }))).toEqual(log.slice(after));
    }
  },

  "tails a run while it is written": async ({ store }) => {
    const { runId: id, log } = scriptedRun("run_live", 25);
    await store.append(id, 0, log.slice(0, 5));
    const tail = readTail(store.tail(id, { after: 2 }));
    for (const event of log.slice(5)) await store.append(id, event.seq - 1, [event]);
    expect(await tail).toEqual(log.slice(2));
  },

  "tails a run that has not begun": async ({ store }) => {
    const run = scriptedRun("run_early", 6);
    const tail = readTail(store.tail(run.runId, { after: 0 }));
    await appendAll(store, run);
    expect(await tail).toEqual(run.log);
  },

  "wakes a waiting tail once for a batch and shows all of it": async ({ store }) => {
    const { runId: id, log } = scriptedRun("run_burst", 40);
    const tail = readTail(store.tail(id, { after: 0 }));
    await store.append(id, 0, log.slice(0, 1));
    await store.append(id, 1, log.slice(1));
    expect(await tail).toEqual(log);
  },

  "serves tails of different speeds, and an append waits for none": async ({ store }) => {
    const { runId: id, log } = scriptedRun("run_speeds", 30);
    const stalled = store.tail(id, { after: 0 })[Symbol.asyncIterator]();
    const fast = readTail(store.tail(id, { after: 0 }));
    const late = store.tail(id, { after: 10 });
    await store.append(id, 0, log.slice(0, 1));
    expect((await stalled.next()).value).toEqual(log[0]);
    for (const event of log.slice(1)) await store.append(id, event.seq - 1, [event]);
    expect(await fast).toEqual(log);
    expect(await readTail(late)).toEqual(log.slice(10));
    const rest = await readTail({ [Symbol.asyncIterator]: () => stalled });
    expect(rest).toEqual(log.slice(1));
  },

  "releases a tail in the middle, also one that waits": async ({ store, waitingTails }) => {
    const { runId: id, log } = scriptedRun("run_released", 12);
    await store.append(id, 0, log.slice(0, 6));
    expect(await readTail(store.tail(id, { after: 0 }), 3)).toEqual(log.slice(0, 3));
    const waiting = store.tail(id, { after: 6 })[Symbol.asyncIterator]();
    const pending = waiting.next();
    await waiting.return?.();
    expect((await pending).done).toBe(true);
    expect((await waiting.next()).done).toBe(true);
    if (waitingTails) expect(waitingTails()).toBe(0);
    expect(await store.append(id, 6, log.slice(6))).toEqual(appended(12));
    expect(await readTail(store.tail(id, { after: 0 }))).toEqual(log);
  },

  "settles every read that a tail still waits for when it is released": async (under) => {
    const { store, waitingTails } = under;
    const { runId: id, log } = scriptedRun("run_two_reads", 4);
    await store.append(id, 0, log.slice(0, 2));
    const tail = store.tail(id, { after: 2 })[Symbol.asyncIterator]();
    const pending = [tail.next(), tail.next()];
    await tail.return?.();
    expect((await Promise.all(pending)).map(({ done }) => done)).toEqual([true, true]);
    if (waitingTails) expect(waitingTails()).toBe(0);
  },

  "leaves nothing behind after a thousand tails": async ({ store, waitingTails }) => {
    const { runId: id, log } = scriptedRun("run_thousand", 4);
    await store.append(id, 0, log.slice(0, 2));
    const tails = Array.from({ length: 1_000 }, () =>
      store.tail(id, { after: 2 })[Symbol.asyncIterator](),
    );
    const pending = tails.map((tail) => tail.next());
    await Promise.all(tails.map((tail) => tail.return?.()));
    expect((await Promise.all(pending)).filter(({ done }) => !done)).toEqual([]);
    if (waitingTails) expect(waitingTails()).toBe(0);
  },
} as const satisfies Readonly<Record<string, Case>>;

export interface LogStoreSuiteOptions {
  /** Why a case is not kept, by its name. */
  readonly skips?: Readonly<Record<string, string>>;
}

export function describeLogStore(
  name: string,
  makeStore: () => StoreUnderTest | Promise<StoreUnderTest>,
  { skips = {} }: LogStoreSuiteOptions = {},
): void {
  describe(`${name} as a log store`, () => {
    let under: StoreUnderTest | undefined;
    beforeEach(async () => {
      under = await makeStore();
    });
    afterEach(async () => {
      await under?.close?.();
    });

    it("skips only cases that exist, each with a reason", () => {
      expect(unknownSkipsOf(skips)).toEqual([]);
    });

    for (const [caseName, run] of Object.entries(cases)) {
      const reason = skips[caseName];
      it.skipIf(reason !== undefined)(reason ? `${caseName} (${reason})` : caseName, async () => {
        if (under) await run(under);
      });
    }
  });
}

/** Skips that name no case, or give no reason. */
export function unknownSkipsOf(skips: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(skips)
    .filter(([caseName, reason]) => !(caseName in cases) || reason.trim() === "")
    .map(([caseName]) => caseName);
}
