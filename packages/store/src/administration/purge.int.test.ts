import { randomUUID } from "node:crypto";
import type { RunEvent } from "@callboard/run-log";
import { restedLog } from "@callboard/run-log/writing";
import { createLife } from "@callboard/testkit";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../store.js";
import {
  createListener,
  createTestPlace,
  slowStartMs,
  storeKinds,
  type TestPlace,
} from "../testing/testStore.js";
import { uuidLife } from "../testing/uuidLog.js";

const bytesOf = (log: readonly RunEvent[]): number =>
  log.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0);

/** Without its deltas, with the rhythms of what they told. */
function bytesAtRest(log: readonly RunEvent[]): number {
  const rested = restedLog(log);
  const rhythms = rested.flatMap(({ rhythm }) => (rhythm ? [JSON.stringify(rhythm).length] : []));
  return bytesOf(rested.map(({ event }) => event)) + rhythms.reduce((sum, bytes) => sum + bytes, 0);
}

const day = 86_400_000;
const now = Date.parse("2027-06-30T00:00:00Z");

describe.each(storeKinds)("retention on %s", (kind) => {
  let place: TestPlace | undefined;
  let store: Store;
  beforeEach(async () => {
    place = await createTestPlace(kind);
    store = await place.open();
  }, slowStartMs);
  afterEach(() => place?.remove());

  const userId = randomUUID();

  /** A conversation in which something was last said so many days ago; gives its id and the bytes of its log. */
  async function kept(daysAgo: number, isOpen = false) {
    const life = createLife("old", "Something said.", ({ user, model, run }) => {
      user.says("x".repeat(100));
      model.begins();
      // In deltas, of which a run that is over keeps none.
      model.says("It was said.");
      model.ends();
      if (!isOpen) run.ends();
    });
    const log = uuidLife(life.log, randomUUID());
    const [first] = log;
    if (first?.type !== "run.started") throw new Error("a life begins with its run");
    await store.log({ userId }).append(first.runId, 0, log);
    const id = first.conversationId;
    await store.database.db
      .updateTable("cx_conversation")
      .set({ updated_at: new Date(now - daysAgo * day) })
      .where("id", "=", id)
      .execute();
    const bytes = isOpen ? bytesOf(log) : bytesAtRest(log);
    return { id, bytes, events: log.length };
  }

  const left = async () => (await store.read.conversations({ as: "service" })).map(({ id }) => id);

  it("counts what a run stores, and of an output that is too large its size alone", async () => {
    const storedIn = async (id: string) => {
      const { rows } = await sql<{ id: string; stored_bytes: number }>`
        select id, stored_bytes from cx_run where conversation_id = ${id}
      `.execute(store.database.db);
      return rows[0];
    };
    const ended = await kept(1);
    expect((await storedIn(ended.id))?.stored_bytes).toBe(ended.bytes);
    const open = await kept(1, true);
    const { id: runId = "", stored_bytes: before = 0 } = (await storedIn(open.id)) ?? {};
    const outputs = store.keptOutputs;
    if (!outputs) {
      expect(store.kind).toBe("embedded");
      return;
    }
    const size = outputs.maxBytes + 1;
    const read = async (buffer: Uint8Array) => {
      buffer.fill(0x61);
    };
    await outputs.keep({ runId, callId: "large", size, read });
    await outputs.keep({ runId, callId: "small", size: 3, read });
    expect(await outputs.find(runId, "large")).toMatchObject({ size, hasBytes: false });
    expect(await outputs.find(runId, "small")).toMatchObject({ size: 3, hasBytes: true });
    expect((await storedIn(open.id))?.stored_bytes).toBe(before + 3);
  });

  it("deletes what is older, in order, and says how far it is", async () => {
    const oldest = await kept(90);
    const old = await kept(31);
    const young = await kept(29);
    const both = {
      conversations: 2,
      runs: 2,
      events: oldest.events + old.events,
      bytes: oldest.bytes + old.bytes,
    };
    const options = { now, maxAgeMs: 30 * day };
    expect(await store.purge({ ...options, isDryRun: true })).toEqual(both);
    expect(await left()).toEqual([young.id, old.id, oldest.id]);
    const told: unknown[] = [];
    const onProgress = (done: unknown, condemned: unknown) => told.push([done, condemned]);
    const gone: string[] = [];
    store.onPurged((id) => gone.push(id));
    expect(await store.purge({ ...options, onProgress })).toEqual(both);
    expect(gone).toEqual([oldest.id, old.id]);
    expect(told).toEqual([[both, both]]);
    expect(await left()).toEqual([young.id]);
    expect(await store.purge(options)).toEqual({ conversations: 0, runs: 0, events: 0, bytes: 0 });
  });

  it("deletes the oldest until the rest fits", async () => {
    const [third, second, first] = [await kept(3), await kept(2), await kept(1)];
    const fits = first.bytes + second.bytes;
    expect((await store.purge({ now, maxBytes: fits })).conversations).toBe(1);
    expect(await left()).toEqual([first.id, second.id]);
    expect((await store.purge({ now, maxBytes: fits - 1 })).bytes).toBe(second.bytes);
    expect(await left()).toEqual([first.id]);
    expect(third.bytes).toBeGreaterThan(0);
  });

  it("never deletes what runs", async () => {
    const open = await kept(90, true);
    expect((await store.purge({ now, maxAgeMs: day, maxBytes: 0 })).conversations).toBe(0);
    expect(await left()).toEqual([open.id]);
  });

  it("stops where it is told to, between two steps", async () => {
    for (let count = 0; count < 51; count += 1) await kept(90);
    const stopping = new AbortController();
    const { conversations } = await store.purge({
      now,
      maxAgeMs: day,
      signal: stopping.signal,
      onProgress: () => stopping.abort(),
    });
    expect(conversations).toBe(50);
    expect(await left()).toHaveLength(1);
  });
});

it("is kept in the background while a store is open", async () => {
  const place = await createTestPlace("PostgreSQL");
  const first = await place.open();
  const id = randomUUID();
  await first.conversations.create({ userId: randomUUID() }, id, {});
  const [{ at = 0 } = {}] = (
    await sql<{ at: number }>`
      select extract(epoch from updated_at)::float8 * 1000 as at from cx_conversation
    `.execute(first.database.db)
  ).rows;
  const logger = createListener();
  let tell = (): void => {};
  const asleep = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const clock = {
    now: () => at + 2 * day,
    monotonic: () => 0,
    sleep(ms: number, signal?: AbortSignal) {
      if (ms === 3_600_000) tell();
      return neverWakes(signal);
    },
  };
  const store = await place.open({ clock, logger, retention: { maxAgeMs: day } });
  await asleep;
  const gone: string[] = [];
  store.onPurged((purged) => gone.push(purged));
  expect(gone).toEqual([id]);
  await store.close();
  expect(logger.heard.map(({ message }) => message)).toEqual([
    "Deleting old conversations.",
    "Deleted old conversations.",
  ]);
  expect(await first.conversations.exists(id)).toBe(false);
  await place.remove();
});

function neverWakes(signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}
