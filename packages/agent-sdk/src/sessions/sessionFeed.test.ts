import { createMemoryLogStore, type LogStore, type RunEvent, runId } from "@callboard/run-log";
import { expect, it } from "vitest";
import { createSessionFeed, keptEvents, type SessionFeed } from "./sessionFeed.js";
import { batchesOf } from "./testing/testSession.js";

const runs = [runId("run_1"), runId("run_2"), runId("run_3")];

/** Every event is stored before it is told. */
async function told(calls: number): Promise<{ feed: SessionFeed; log: LogStore; all: RunEvent[] }> {
  const log = createMemoryLogStore();
  const feed = createSessionFeed(log);
  const all: RunEvent[] = [];
  for (const id of runs) {
    const events = batchesOf(id, calls).flat();
    await log.append(id, 0, events);
    for (const event of events) {
      feed.push(event);
      all.push(event);
    }
  }
  return { feed, log, all };
}

async function readAll(events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> {
  const seen: RunEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

it("gives a late reader everything, from the log what is no longer in memory", async () => {
  const { feed, all } = await told(1_200);
  expect(all.length).toBeGreaterThan(2 * keptEvents);
  const seen: RunEvent[] = [];
  for await (const event of feed.read(5)) {
    seen.push(event);
    if (seen.length === all.length - 5) break;
  }
  expect(seen).toEqual(all.slice(5));
});

it("gives what is in memory even after it was closed", async () => {
  const { feed, all } = await told(2);
  feed.close();
  expect(await readAll(feed.read(3))).toEqual(all.slice(3));
  expect(await readAll(feed.read(all.length + 10))).toEqual([]);
});

it("ends at once for a reader that leaves while it waits", async () => {
  const { feed, all } = await told(1);
  const reader = feed.read(all.length)[Symbol.asyncIterator]();
  const next = reader.next();
  await reader.return?.();
  expect(await next).toEqual({ done: true, value: undefined });
});
