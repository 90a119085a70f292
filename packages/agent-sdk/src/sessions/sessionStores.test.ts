/** What holds for sessions wherever they are kept. */
import { type RunEvent, runId } from "@callboard/run-log";
import { isDelta } from "@callboard/run-log/writing";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SessionLog, SessionStore } from "../types/sessions.js";
import { createMemorySessionStore } from "./memorySessionStore.js";
import { SessionClosedError, SessionIdRefusedError, SessionLockedError } from "./sessionErrors.js";
import { createTestHome } from "./testing/testHome.js";
import { batchesOf, createStillClock } from "./testing/testSession.js";

interface Kept {
  readonly store: SessionStore;
  remove(): Promise<void>;
}

/** An hour after everything that is written: whoever opens a session comes later. */
const later = createStillClock(1_800_003_600_000);

const homes: readonly (readonly [string, () => Promise<Kept>])[] = [
  ["on disk", () => createTestHome({ flush: "never", clock: later })],
  [
    "in memory",
    async () => ({
      store: createMemorySessionStore({ clock: createStillClock() }),
      remove: async () => {},
    }),
  ],
];

async function appendAll(
  log: SessionLog,
  batches: readonly (readonly RunEvent[])[],
): Promise<readonly RunEvent[]> {
  for (const batch of batches) {
    const [first] = batch;
    if (first) await log.append(first.runId, first.seq - 1, batch);
  }
  return batches.flat();
}

async function readAll(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const seen: RunEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

const one = runId("run_1");
const two = runId("run_2");

describe.each(homes)("sessions %s", (_, keep) => {
  let kept: Kept;
  let store: SessionStore;
  beforeEach(async () => {
    kept = await keep();
    store = kept.store;
  });
  afterEach(() => kept.remove());

  it("give a session back as it was left", async () => {
    const log = await store.open("a");
    const first = await appendAll(log, batchesOf(one, 3));
    const second = await appendAll(log, batchesOf(two, 1));
    expect(await log.runIds()).toEqual([one, two]);
    await log.close();
    const again = await store.open("a");
    expect(again.sessionId).toBe("a");
    expect(await again.runIds()).toEqual([one, two]);
    expect(await again.read(one, { after: 0 })).toEqual(first);
    expect(await again.read(two, { after: 0 })).toEqual(second);
    await again.close();
  });

  it("give all events run after run, of ended runs those that are no deltas", async () => {
    const log = await store.open("a");
    const ended = await appendAll(log, batchesOf(one, 2));
    const open = await appendAll(log, batchesOf(two, 2).slice(0, -2));
    const read: RunEvent[] = [];
    for await (const page of log.history()) read.push(...page);
    expect(read).toEqual([...ended.filter((event) => !isDelta(event)), ...open]);
    expect(read.length).toBeLessThan(ended.length + open.length);
    await log.close();
  });

  it("close what was left open as interrupted, once, before they are given", async () => {
    const log = await store.open("a");
    const batches = batchesOf(one, 4);
    const open = await appendAll(log, batches.slice(0, -2));
    await appendAll(log, batchesOf(two, 1).slice(0, 4));
    await log.close();
    const again = await store.open("a");
    const events = await again.read(one, { after: 0 });
    expect(events.slice(0, open.length)).toEqual(open);
    expect(events.slice(open.length).map(({ type, seq }) => [type, seq])).toEqual([
      ["call.closed", open.length + 1],
      ["call.closed", open.length + 2],
      ["message.closed", open.length + 3],
      ["run.closed", open.length + 4],
    ]);
    const lastAt = open.at(-1)?.at;
    expect(events.slice(open.length).map(({ at }) => at)).toEqual([lastAt, lastAt, lastAt, lastAt]);
    expect(events.slice(open.length)[0]).toMatchObject({
      callId: "call_4",
      outcome: "interrupted",
      message: "the process ended before the run did",
    });
    expect(events.at(-1)).toMatchObject({ type: "run.closed", outcome: "interrupted", calls: 4 });
    expect((await again.read(two, { after: 0 })).at(-1)).toMatchObject({ outcome: "interrupted" });
    await again.close();
    const third = await store.open("a");
    expect(await third.read(one, { after: 0 })).toEqual(events);
    await third.close();
  });

  it("leave runs open for whoever wants to continue with them, but nothing inside", async () => {
    const log = await store.open("a");
    const open = await appendAll(log, batchesOf(one, 4).slice(0, -2));
    await log.close();
    const again = await store.open("a", { keepRunsOpen: true });
    const events = await again.read(one, { after: 0 });
    expect(events.slice(open.length).map(({ type }) => type)).toEqual([
      "call.closed",
      "call.closed",
      "message.closed",
    ]);
    await again.close();
    const third = await store.open("a", { keepRunsOpen: true });
    expect(await third.read(one, { after: 0 })).toEqual(events);
    await third.close();
    const last = await store.open("a");
    const [closing, ...more] = await last.read(one, { after: events.length });
    expect(closing).toMatchObject({ type: "run.closed", outcome: "interrupted", calls: 4 });
    expect(more).toEqual([]);
    await last.close();
  });

  it("are one holder's at a time", async () => {
    const log = await store.open("a");
    await expect(store.open("a")).rejects.toThrow(SessionLockedError);
    await expect(store.open("a")).rejects.toThrow(`process ${process.pid}, which is this one`);
    await expect(store.remove("a")).rejects.toThrow(SessionLockedError);
    const other = await store.open("b");
    await other.close();
    await log.close();
    await log.close();
    await (await store.open("a")).close();
  });

  it("are not used after they are closed", async () => {
    const log = await store.open("a");
    const batches = batchesOf(one, 1);
    await appendAll(log, batches.slice(0, 2));
    const waiting = readAll(log.tail(one, { after: 6 }));
    const unread = log.tail(one, { after: 2 })[Symbol.asyncIterator]();
    await log.close();
    expect(await waiting).toEqual([]);
    await expect(unread.next()).rejects.toThrow(SessionClosedError);
    await expect(log.read(one, { after: 0 })).rejects.toThrow(SessionClosedError);
    await expect(log.append(one, 6, batches[2] ?? [])).rejects.toThrow(SessionClosedError);
  });

  it("are listed by their first words, the newest first", async () => {
    expect(await store.list()).toEqual([]);
    const old = await store.open("old");
    await appendAll(old, batchesOf(one, 1));
    await old.close();
    const later = await store.open("later");
    await appendAll(later, batchesOf(one, 1));
    await appendAll(later, batchesOf(two, 5));
    await later.close();
    const listed = await store.list();
    expect(listed.map(({ sessionId, title, runs }) => [sessionId, title, runs])).toEqual([
      ["later", "Wie spät ist es?", 2],
      ["old", "Wie spät ist es?", 1],
    ]);
    expect(listed[0]?.updatedAt).toBe(batchesOf(two, 5).flat().at(-1)?.at);
  });

  it("are gone once they are removed, and removing nothing is nothing", async () => {
    await (await store.open("a")).close();
    await store.remove("a");
    await store.remove("a");
    expect(await store.list()).toEqual([]);
    const log = await store.open("a");
    expect(await log.runIds()).toEqual([]);
    await log.close();
  });

  it("refuse an id that is none", async () => {
    await expect(store.open("../a")).rejects.toThrow(SessionIdRefusedError);
    await expect(store.remove("../a")).rejects.toThrow(SessionIdRefusedError);
  });
});
