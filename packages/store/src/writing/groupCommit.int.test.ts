/** What can go wrong on the way to the database: it costs no event, and no other run. */
import { randomUUID } from "node:crypto";
import type { SessionLog } from "@callboard/agent-sdk";
import { type RunEvent, type RunId, runId } from "@callboard/run-log";
import { isDelta } from "@callboard/run-log/writing";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { StoreFullError, StoreUnreachableError } from "../errors.js";
import { createFeed } from "../live/feed.js";
import type { Store } from "../store.js";
import { batchesOf } from "../testing/runBatches.js";
import { createShakyDatabase, type ShakyDatabase } from "../testing/shakyDatabase.js";
import {
  createListener,
  createTestPlace,
  slowStartMs,
  type TestPlace,
} from "../testing/testStore.js";
import { createTickingClock } from "../testing/tickingClock.js";
import { createGroupCommit } from "./groupCommit.js";
import { createRunLogs, type RunLogs } from "./runLogs.js";

const userId = randomUUID();
let id: RunId;
beforeEach(() => {
  id = runId(randomUUID());
});

async function append(log: SessionLog, batch: readonly RunEvent[]): Promise<void> {
  const [first] = batch;
  if (first) await log.append(first.runId, first.seq - 1, batch);
}

describe("on a server", () => {
  let place: TestPlace;
  let store: Store;
  let watcher: Store;
  const clock = createTickingClock();
  beforeAll(async () => {
    place = await createTestPlace("PostgreSQL");
    watcher = await place.open();
  }, slowStartMs);
  afterAll(() => place.remove());
  beforeEach(async () => {
    store = await place.open({ clock, logger: createListener() });
  });
  afterEach(() => store.close());

  const storedEvents = (run = id) => watcher.read.events({ as: "service", runId: run, after: 0 });

  /** Hangs up on whoever waits for a lock. */
  async function hangUpOnWaiting(): Promise<void> {
    for (let count = 0; count === 0; ) {
      const { rows } = await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'
      `.execute(watcher.database.db);
      count = rows.length;
    }
  }

  it("a connection that breaks in the middle of a batch is replaced, and the batch written once", async () => {
    const log = await store.sessions({ userId }).open(randomUUID());
    const [start = [], ...rest] = batchesOf(id, 3);
    await append(log, start);
    const [next = [], ...others] = rest;
    let isWritten = false;
    let written: Promise<void> | undefined;
    await watcher.database.db.transaction().execute(async (transaction) => {
      await sql`select from cx_run where id = ${id} for update`.execute(transaction);
      written = append(log, next).finally(() => {
        isWritten = true;
      });
      await hangUpOnWaiting();
      await clock.untilAsleep(50);
    });
    // The lock has ended with the transaction. A pool may give out another connection that is lost: then it is tried again.
    const pauses = [50, 100, 200, 400];
    for (let tries = 0; tries < 5 && !isWritten; tries += 1) {
      await Promise.race([written, ...pauses.map((pause) => clock.untilAsleep(pause))]);
      if (!isWritten) await clock.advance(400);
    }
    await written;
    for (const batch of others) await append(log, batch);
    expect(await storedEvents()).toEqual([start, ...rest].flat());
    await log.close();
  });

  it("a batch that the database refuses fails alone, with its reason", async () => {
    const runs = [id, runId(randomUUID()), runId(randomUUID())];
    const logs = await Promise.all(
      runs.map(async () => await store.sessions({ userId }).open(randomUUID())),
    );
    const lives = runs.map((run) => batchesOf(run, 2));
    for (const [index, log] of logs.entries()) await append(log, lives[index]?.[0] ?? []);
    const batches = lives.map((life) => life.slice(1, 3).flat());
    const poisoned = batches[1]?.map((event) => ({ ...event })) ?? [];
    const last = poisoned.at(-1);
    const again = poisoned.find(({ type }) => type === "call.opened");
    if (last && again) poisoned.push({ ...again, seq: last.seq + 1 });
    const answers = await Promise.allSettled([
      append(logs[0] ?? log0(), batches[0] ?? []),
      append(logs[1] ?? log0(), poisoned),
      append(logs[2] ?? log0(), batches[2] ?? []),
    ]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(String(answers[1]?.status === "rejected" && answers[1].reason)).toContain(
      "cx_run_event_one_opening",
    );
    const counts = await Promise.all(runs.map(async (run) => (await storedEvents(run)).length));
    const whole = (lives[0]?.[0]?.length ?? 0) + (batches[0]?.length ?? 0);
    expect(counts).toEqual([whole, lives[0]?.[0]?.length, whole]);
    for (const log of logs) await log.close();
  });
});

function log0(): never {
  throw new Error("there are three logs");
}

describe("on a connection that breaks when it is told to", () => {
  let shaky: ShakyDatabase;
  const clock = createTickingClock();
  beforeAll(async () => {
    shaky = await createShakyDatabase();
  }, slowStartMs);
  afterAll(() => shaky.database.close());

  const inTime = { monotonic: clock.monotonic, inTime: () => Promise.resolve() };

  function createLogs(owner = "node"): RunLogs {
    const { database } = shaky;
    const ownership = { owner, leaseMs: 30_000 };
    const logger = createListener();
    const commit = createGroupCommit({
      database,
      ownership,
      clock,
      logger,
      databaseRetryMs: 1_000,
    });
    const feed = createFeed({ readPage: async () => [], readHead: async () => undefined });
    const claim = () => Promise.reject(new Error("nothing is claimed here"));
    return createRunLogs({ db: database.db, owner, commit, feed, claim, ...inTime });
  }

  const appendTo = (logs: RunLogs, batch: readonly RunEvent[], conversationId: string) =>
    logs.append(id, (batch[0]?.seq ?? 1) - 1, batch, () => ({ conversationId, userId }));

  async function storedCount(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select (select count(*) from cx_run_event where run_id = ${id})
        + (select count(*) from cx_run_delta where run_id = ${id}) as count
    `.execute(shaky.database.db);
    return rows[0]?.count ?? 0;
  }

  it("a commit whose answer is lost is not written twice", async () => {
    const logs = createLogs();
    const conversationId = randomUUID();
    const batches = batchesOf(id, 2);
    for (const batch of batches) {
      shaky.breakAfterCommit();
      const written = appendTo(logs, batch, conversationId);
      await clock.untilAsleep(50);
      await clock.advance(50);
      const seq = batch.at(-1)?.seq;
      expect(await written).toEqual({ status: "appended", seq });
      shaky.mend();
    }
    const log = batches.flat();
    expect(await storedCount()).toBe(log.filter((event) => !isDelta(event)).length);
  });

  it("a start that a rival stored first is not one's own, also in a group that is written again one by one", async () => {
    const conversationId = randomUUID();
    await appendTo(createLogs("rival"), batchesOf(id, 2)[0] ?? [], conversationId);
    const logs = createLogs();
    // All looked before the rival stored its start.
    const view = () => ({ busyOwner: null, runs: 0, nextPosition: 0 });
    const start = (run: RunId, conversation: string) =>
      logs.append(run, 0, batchesOf(run, 2)[0] ?? [], () => ({
        ...{ conversationId: conversation, userId, view },
      }));
    const others = [randomUUID(), randomUUID()];
    // The first is under way while the other two wait, so that those are one group.
    const [first, own, last] = await Promise.allSettled([
      start(runId(randomUUID()), others[0] ?? ""),
      start(id, conversationId),
      start(runId(randomUUID()), others[1] ?? ""),
    ]);
    expect([first.status, own.status, last.status]).toEqual(["fulfilled", "rejected", "fulfilled"]);
  });

  it("a full disk is said at once, to the writer and to whoever asks, until there is room", async () => {
    const { database } = shaky;
    const ownership = { owner: "node", leaseMs: 30_000 };
    const logger = createListener();
    const commit = createGroupCommit({
      database,
      ownership,
      clock,
      logger,
      databaseRetryMs: 1_000,
    });
    const feed = createFeed({ readPage: async () => [], readHead: async () => undefined });
    const claim = () => Promise.reject(new Error("nothing is claimed here"));
    const logs = createRunLogs({
      ...{ db: database.db, owner: "node", commit, feed, claim, ...inTime },
    });
    const conversationId = randomUUID();
    const [start = []] = batchesOf(id, 2);
    commit.assertRoom();
    shaky.fill();
    await expect(appendTo(logs, start, conversationId)).rejects.toThrow(
      "the database has no room left: could not extend file",
    );
    expect(() => commit.assertRoom()).toThrow(StoreFullError);
    expect(await storedCount()).toBe(0);
    shaky.mend();
    await appendTo(logs, start, conversationId);
    commit.assertRoom();
    expect(await storedCount()).toBe(start.length);
  });

  it("a database that stays away ends the run with what to do, and pretends nothing", async () => {
    const logs = createLogs();
    const [start = [], next = []] = batchesOf(id, 2);
    const conversationId = randomUUID();
    await appendTo(logs, start, conversationId);
    shaky.stayAway();
    const written = appendTo(logs, next, conversationId);
    const refused = expect(written).rejects.toThrow(StoreUnreachableError);
    for (const pause of [50, 100, 200, 400, 800]) {
      await clock.untilAsleep(pause);
      await clock.advance(pause);
    }
    await refused;
    await expect(written).rejects.toThrow("Check that the database server is running");
    shaky.mend();
    expect(await storedCount()).toBe(start.length);
    expect(logs.isHeld(id)).toBe(false);
  });
});
