/** Following a run from another node than the one that writes it. */
import { randomUUID } from "node:crypto";
import { type RunEvent, type RunId, runId } from "@callboard/run-log";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import type { Store } from "../store.js";
import { batchesOf } from "../testing/runBatches.js";
import { createTestPlace, slowStartMs, type TestPlace } from "../testing/testStore.js";
import { createTickingClock } from "../testing/tickingClock.js";
import type { NotificationSource } from "./notificationSource.js";

let place: TestPlace;
let writer: Store;
let reader: Store;
const clock = createTickingClock();
const userId = randomUUID();
let id: RunId;

beforeAll(async () => {
  place = await createTestPlace("PostgreSQL");
}, slowStartMs);
afterAll(() => place.remove());
beforeEach(async () => {
  writer = await place.open();
  reader = await place.open({ clock, pollMs: 5_000 });
  await reader.listening;
  id = runId(randomUUID());
});
afterEach(async () => {
  await writer.close();
  await reader.close();
});

async function readAll(tail: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const seen: RunEvent[] = [];
  for await (const event of tail) seen.push(event);
  return seen;
}

async function write(batches: readonly (readonly RunEvent[])[]): Promise<void> {
  const log = await writer.sessions({ userId }).open(randomUUID());
  for (const batch of batches) {
    const [first] = batch;
    if (first) await log.append(first.runId, first.seq - 1, batch);
  }
  await log.close();
}

it("shows what another node writes, as it is written, to any number of readers", async () => {
  const batches = batchesOf(id, 5);
  const readers = Array.from({ length: 50 }, (_, index) =>
    readAll(reader.tail(id, { after: index % 7 })),
  );
  await write(batches);
  const seen = await Promise.all(readers);
  seen.forEach((events, index) => {
    expect(events).toEqual(batches.flat().slice(index % 7));
  });
  expect(reader.waitingTails).toBe(0);
});

it("tells readers elsewhere what a takeover closed", async () => {
  const batches = batchesOf(id, 2);
  const log = await writer.sessions({ userId }).open(randomUUID());
  for (const batch of batches.slice(0, -2)) {
    const [first] = batch;
    if (first) await log.append(first.runId, first.seq - 1, batch);
  }
  const reading = readAll(reader.tail(id, { after: 0 }));
  await sql`update cx_run set lease_until = now() - interval '1 second' where id = ${id}`.execute(
    writer.database.db,
  );
  const third = await place.open();
  await third.claimOrphans();
  const seen = await reading;
  expect(seen.at(-1)).toMatchObject({ type: "run.closed", outcome: "interrupted" });
  expect(seen.map(({ seq }) => seq)).toEqual(seen.map((_, index) => index + 1));
  await third.close();
});

it("finds by looking what it was not told", async () => {
  const batches = batchesOf(id, 3);
  const [start = [], ...rest] = batches;
  const log = await writer.sessions({ userId }).open(randomUUID());
  await log.append(id, 0, start);
  const tail = reader.tail(id, { after: start.length })[Symbol.asyncIterator]();
  const next = tail.next();
  const [second = []] = rest;
  // Written as by a node whose notifications are lost on the way.
  await sql`
    update cx_run set last_seq = ${start.length + second.length} where id = ${id}
  `.execute(writer.database.db);
  for (const event of second) {
    const text = JSON.stringify(event);
    await sql`
      insert into cx_run_event (run_id, seq, at, type, event)
      values (${id}, ${event.seq}, now(), ${event.type}, ${text}::json)
    `.execute(writer.database.db);
  }
  await clock.untilAsleep(5_000);
  await clock.advance(5_000);
  expect(await next).toEqual({ done: false, value: second[0] });
  await tail.return?.();
});

it("hears again after its connection was cut, and misses nothing", async () => {
  const batches = batchesOf(id, 6);
  const log = await writer.sessions({ userId }).open(randomUUID());
  const half = Math.floor(batches.length / 2);
  const append = async (batch: readonly RunEvent[]): Promise<void> => {
    const [first] = batch;
    if (first) await log.append(first.runId, first.seq - 1, batch);
  };
  const reading = readAll(reader.tail(id, { after: 0 }));
  for (const batch of batches.slice(0, half)) await append(batch);
  await sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen %' and pid <> pg_backend_pid()
  `.execute(writer.database.db);
  for (const batch of batches.slice(half)) await append(batch);
  await clock.untilAsleep(1_000);
  await clock.advance(1_000);
  expect(await reading).toEqual(batches.flat());
  await log.close();
});

it("ends when the store is closed", async () => {
  const [start = []] = batchesOf(id, 3);
  const log = await writer.sessions({ userId }).open(randomUUID());
  await log.append(id, 0, start);
  const tail = reader.tail(id, { after: start.length - 1 })[Symbol.asyncIterator]();
  expect((await tail.next()).value).toEqual(start.at(-1));
  const next = tail.next();
  await vi.waitFor(() => expect(reader.waitingTails).toBe(1), 120_000);
  await reader.close();
  expect((await next).done).toBe(true);
  await log.close();
});

it("notifies by PostgreSQL of commits only while its own source of news does not reach the others", async () => {
  const stored: number[] = [];
  let isReached = true;
  const source: NotificationSource = {
    isReached: () => isReached,
    stored: (_, events) => void stored.push(events.length),
    follow: async () => async () => undefined,
    read: async () => [],
  };
  const heard: string[] = [];
  const listening = await reader.database.listen?.({
    channel: "callboard_news",
    onPayload: (payload) => heard.push(payload),
    onLost: () => undefined,
  });
  const told = await place.open({ notificationSource: () => source });
  const batches = batchesOf(id, 2);
  const log = await told.sessions({ userId }).open(randomUUID());
  for (const [at, batch] of batches.entries()) {
    const [first] = batch;
    isReached = at === 0;
    if (first) await log.append(first.runId, first.seq - 1, batch);
  }
  await log.close();
  // Notifications come in order: this one after all that the log could have sent.
  await sql`select pg_notify('callboard_news', 'last')`.execute(reader.database.db);
  await vi.waitFor(() => expect(heard.at(-1)).toBe("last"), { timeout: 60_000 });
  expect(heard).toHaveLength(batches.length);
  expect(stored).toEqual(batches.map(({ length }) => length));
  await listening?.stop();
  await told.close();
});
