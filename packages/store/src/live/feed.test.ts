/** Following without a database: who is handed what, and what is read how often. */
import { type RunEvent, runId } from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { createFeed, type Feed } from "./feed.js";

const id = runId("a-run");

function eventsUpTo(last: number, isClosed = true): readonly RunEvent[] {
  return Array.from({ length: last }, (_, index): RunEvent => {
    const place = { v: 1, runId: id, seq: index + 1, at: 1 } as const;
    if (isClosed && index + 1 === last) {
      const usage = { inputTokens: 0, outputTokens: 0 };
      return { ...place, type: "run.closed", outcome: "ok", usage, calls: 0 };
    }
    return { ...place, type: "status.reported", status: `${index + 1}` };
  });
}

/** A table that the test writes, and how often it was read. */
function createTable() {
  const rows: RunEvent[] = [];
  let reads = 0;
  const feed: Feed = createFeed({
    async readPage(_, after) {
      reads += 1;
      return rows.slice(after, after + 3);
    },
    async readHead() {
      const last = rows.at(-1);
      return last && { lastSeq: last.seq, isClosed: last.type === "run.closed" };
    },
  });
  return {
    feed,
    rows,
    reads: () => reads,
    store(events: readonly RunEvent[]) {
      rows.push(...events);
      feed.tell(id, events);
    },
  };
}

async function readAll(tail: AsyncIterable<RunEvent>): Promise<readonly number[]> {
  const seqs: number[] = [];
  for await (const event of tail) seqs.push(event.seq);
  return seqs;
}

/** Lets everything run that waits for nothing but a promise. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("a follower", () => {
  it("that has read everything is handed the next batch without a look at the table", async () => {
    const { feed, store, reads } = createTable();
    const all = eventsUpTo(9);
    store(all.slice(0, 2));
    const readers = Array.from({ length: 100 }, () => readAll(feed.tail(id, 0)));
    await settled();
    const before = reads();
    store(all.slice(2, 5));
    await settled();
    store(all.slice(5));
    expect(await Promise.all(readers)).toEqual(readers.map(() => [1, 2, 3, 4, 5, 6, 7, 8, 9]));
    expect(reads()).toBe(before);
    expect(before).toBeLessThanOrEqual(3);
  });

  it("that lags reads page by page at its own pace", async () => {
    const { feed, store } = createTable();
    const all = eventsUpTo(20);
    const tail = feed.tail(id, 0)[Symbol.asyncIterator]();
    store(all.slice(0, 1));
    expect((await tail.next()).value).toMatchObject({ seq: 1 });
    for (const event of all.slice(1)) store([event]);
    expect(await readAll({ [Symbol.asyncIterator]: () => tail })).toEqual(
      all.slice(1).map(({ seq }) => seq),
    );
  });

  it("learns from a hint what another node wrote, once for all who wait", async () => {
    const { feed, rows, reads } = createTable();
    const all = eventsUpTo(2);
    const readers = Array.from({ length: 50 }, () => readAll(feed.tail(id, 0)));
    await settled();
    const before = reads();
    rows.push(...all);
    feed.hint(id, 2);
    feed.hint(id, 1);
    expect(await Promise.all(readers)).toEqual(readers.map(() => [1, 2]));
    expect(reads() - before).toBe(1);
  });

  it("ends when the run was removed from under it", async () => {
    const { feed, store, rows } = createTable();
    store(eventsUpTo(2, false));
    const reading = readAll(feed.tail(id, 0));
    await settled();
    rows.length = 0;
    feed.hint(id, 7);
    expect(await reading).toEqual([1, 2]);
  });

  it("leaves nothing behind, however it leaves", async () => {
    const { feed, store } = createTable();
    store(eventsUpTo(2, false));
    const tail = feed.tail(id, 2)[Symbol.asyncIterator]();
    const next = tail.next();
    await settled();
    expect([feed.waiting, feed.followed()]).toEqual([1, [id]]);
    await tail.return?.();
    expect((await next).done).toBe(true);
    expect([feed.waiting, feed.followed()]).toEqual([0, []]);
  });

  it("is let go when the store closes", async () => {
    const { feed, store } = createTable();
    store(eventsUpTo(2, false));
    const reading = readAll(feed.tail(id, 0));
    await settled();
    feed.close();
    expect(await reading).toEqual([1, 2]);
  });
});
