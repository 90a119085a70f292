/** A run that has ended is kept without its deltas, and nobody who reads it sees a difference. */

import { randomUUID } from "node:crypto";
import {
  conversationId,
  messageId,
  partId,
  type RunEvent,
  type RunId,
  runId,
} from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { isDelta } from "@callboard/run-log/writing";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "./store.js";
import { batchesOf } from "./testing/runBatches.js";
import { createTestPlace, slowStartMs, storeKinds, type TestPlace } from "./testing/testStore.js";

const userId = randomUUID();

/** As `batchesOf`, in a conversation of its own. */
function batchesIn(id: RunId, conversation = randomUUID()): readonly (readonly RunEvent[])[] {
  return batchesOf(id, 3).map((batch) =>
    batch.map((event) =>
      event.type === "run.started"
        ? { ...event, conversationId: conversationId(conversation) }
        : event,
    ),
  );
}

async function append(store: Store, batches: readonly (readonly RunEvent[])[]): Promise<void> {
  for (const batch of batches) {
    const [first] = batch;
    if (first) await store.log({ userId }).append(first.runId, first.seq - 1, batch);
  }
}

const textsOf = (log: readonly RunEvent[]): readonly string[] =>
  log.map((event) => JSON.stringify(event));

describe.each(storeKinds)("a log at rest on %s", (kind) => {
  let place: TestPlace;
  let store: Store;
  let id: RunId;
  beforeAll(async () => {
    place = await createTestPlace(kind);
    store = await place.open();
  }, slowStartMs);
  afterAll(() => place.remove());
  beforeEach(() => {
    id = runId(randomUUID());
  });

  const lines = (after: number, limit?: number) =>
    store.read.lines({
      as: { userId },
      runId: id,
      after,
      ...withoutUndefined({ limit }),
    });

  async function storedDeltas(): Promise<number> {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from cx_run_delta where run_id = ${id}
    `.execute(store.database.db);
    return rows[0]?.count ?? 0;
  }

  it("has its closings, the bytes of which are counted, and no delta", async () => {
    const batches = batchesIn(id);
    const log = batches.flat();
    await append(store, batches.slice(0, -1));
    expect(await storedDeltas()).toBe(log.filter(isDelta).length);
    await append(store, batches.slice(-1));
    expect(await storedDeltas()).toBe(0);
    const { rows } = await sql<{ types: string[]; bytes: number; counted: number }>`
      select array_agg(type order by seq) as types,
        sum(octet_length(event::text) + coalesce(octet_length(rhythm::text), 0)) as bytes,
        (select stored_bytes from cx_run where id = ${id}) as counted
      from cx_run_event where run_id = ${id}
    `.execute(store.database.db);
    expect(rows[0]?.types).toEqual(log.filter((event) => !isDelta(event)).map(({ type }) => type));
    expect(rows[0]?.counted).toBe(rows[0]?.bytes);
  });

  it("reads the same from every position and in pages of any size", async () => {
    const log = batchesIn(id).flat();
    await append(store, [log]);
    const texts = textsOf(log);
    for (let after = 0; after <= log.length; after += 1) {
      expect(await lines(after)).toEqual(texts.slice(after));
      expect(await lines(after, 1)).toEqual(texts.slice(after, after + 1));
      expect(await lines(after, 7)).toEqual(texts.slice(after, after + 7));
    }
  });

  it("reads the same for whoever was reading while the run ended", async () => {
    const batches = batchesIn(id);
    const log = batches.flat();
    await append(store, batches.slice(0, -1));
    const tail = store.tail(id, { after: 0 })[Symbol.asyncIterator]();
    const followed: RunEvent[] = [];
    const follow = async (): Promise<boolean> => {
      const { done, value } = await tail.next();
      if (!done) followed.push(value);
      return done === true;
    };
    for (let count = 0; count < 4; count += 1) await follow();
    const paged = [...(await lines(0, 3)), ...(await lines(3, 3))];
    await append(store, batches.slice(-1));
    while (!(await follow()));
    expect(textsOf(followed)).toEqual(textsOf(log));
    while (paged.length < log.length) paged.push(...(await lines(paged.length, 3)));
    expect(paged).toEqual(textsOf(log));
  });

  it("keeps its deltas where its end could not be written", async () => {
    const batches = batchesIn(id);
    await append(store, batches.slice(0, -1));
    const deltas = await storedDeltas();
    const stray = { v: 1, runId: id, at: 1_800_000_000_000 } as const;
    const usage = { inputTokens: 0, outputTokens: 0 };
    const seq = batches.slice(0, -1).flat().length;
    const ends: readonly RunEvent[] = [
      { ...stray, seq: seq + 1, type: "run.closed", outcome: "ok", usage, calls: 3 },
      { ...stray, seq: seq + 2, type: "run.closed", outcome: "ok", usage, calls: 3 },
    ];
    await expect(append(store, [ends])).rejects.toThrow("cx_run_event_one_end");
    expect(await storedDeltas()).toBe(deltas);
    await append(store, batches.slice(-1));
    expect(await storedDeltas()).toBe(0);
    expect(await lines(0)).toEqual(textsOf(batches.flat()));
  });

  it("gives back deltas as they were that no rhythm could tell, and those of parts that were never closed", async () => {
    const base = { v: 1, runId: id } as const;
    const said = messageId("said");
    const text = { messageId: said, partId: partId("p") };
    const usage = { inputTokens: 0, outputTokens: 0 };
    const log: readonly RunEvent[] = [
      {
        ...base,
        seq: 1,
        at: 1,
        type: "run.started",
        conversationId: conversationId(randomUUID()),
        model: "m",
      },
      { ...base, seq: 2, at: 2, type: "message.opened", messageId: said, role: "assistant" },
      { ...base, seq: 3, at: 3, type: "text.delta", ...text, text: "one ", offset: 0 },
      { ...base, seq: 4, at: 4.5, type: "text.delta", ...text, text: "two", offset: 4 },
      { ...base, seq: 5, at: 5, type: "text.closed", ...text, text: "one two", startedAt: 3 },
      {
        ...base,
        seq: 6,
        at: 6,
        type: "text.delta",
        ...text,
        partId: partId("q"),
        text: "left",
        offset: 0,
      },
      { ...base, seq: 7, at: 7, type: "run.closed", outcome: "ok", usage, calls: 0 },
    ];
    await append(store, [log]);
    expect(await storedDeltas()).toBe(0);
    expect(await lines(0)).toEqual(textsOf(log));
    expect(await lines(3, 1)).toEqual(textsOf(log.slice(3, 4)));
    expect(await lines(4, 2)).toEqual(textsOf(log.slice(4, 6)));
  });

  it("says which position is missing where it is damaged", async () => {
    const batches = batchesIn(id);
    await append(store, batches);
    await sql`delete from cx_run_event where run_id = ${id} and seq = 2`.execute(store.database.db);
    await expect(lines(0)).rejects.toThrow(`event 2 of run ${id} is missing`);
  });

  it("lets a deleted run take its deltas along", async () => {
    const conversation = randomUUID();
    await append(store, batchesIn(id, conversation).slice(0, -1));
    expect(await storedDeltas()).toBeGreaterThan(0);
    expect(await store.conversations.remove({ userId }, conversation)).toBe(true);
    expect(await storedDeltas()).toBe(0);
  });

  it("shows the deltas of a run under way to nobody else", async () => {
    await append(store, batchesIn(id).slice(0, -1));
    const as = { userId: randomUUID() };
    expect(await store.read.lines({ as, runId: id, after: 0 })).toEqual([]);
    expect(await store.read.lines({ as: "anonymous", runId: id, after: 0 })).toEqual([]);
  });

  it("takes no delta that does not follow the log", async () => {
    const batches = batchesIn(id);
    await append(store, batches.slice(0, -1));
    const insert = (seq: number) =>
      sql`insert into cx_run_delta (run_id, seq, event) values (${id}, ${seq}, '{}')`.execute(
        store.database.db,
      );
    const seq = batches.slice(0, -1).flat().length;
    await expect(insert(seq + 2)).rejects.toThrow("do not follow the log");
    await append(store, batches.slice(-1));
    await expect(insert(batches.flat().length + 1)).rejects.toThrow("do not follow the log");
  });
});

describe("a run of a node that died", () => {
  it(
    "comes to rest when another one closes it, and reads as it was written",
    async () => {
      const place = await createTestPlace("PostgreSQL");
      try {
        const [one, two] = [await place.open(), await place.open()];
        const id = runId(randomUUID());
        const batches = batchesIn(id).slice(0, 6);
        await append(one, batches);
        await sql`update cx_run set lease_until = clock_timestamp() - interval '1 s' where id = ${id}`.execute(
          two.database.db,
        );
        expect(await two.claimOrphans()).toMatchObject([{ runId: id, status: "closed" }]);
        const { rows } = await sql`select from cx_run_delta where run_id = ${id}`.execute(
          two.database.db,
        );
        expect(rows.length).toBe(0);
        const log = batches.flat();
        const lines = await two.read.lines({ as: { userId }, runId: id, after: 0 });
        expect(lines.slice(0, log.length)).toEqual(textsOf(log));
        expect(lines.length).toBeGreaterThan(log.length);
      } finally {
        await place.remove();
      }
    },
    slowStartMs,
  );
});
