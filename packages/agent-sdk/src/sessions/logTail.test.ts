import { type RunEvent, runId } from "@callboard/run-log";
import { expect, it } from "vitest";
import { createChangeSignal, createTail } from "./logTail.js";
import { batchesOf } from "./testing/testSession.js";

const one = runId("run_1");
const log = batchesOf(one, 1).flat();

/** A source whose pages arrive a moment after they were read, as from a disk. */
function createSlowSource(beforeArrival: (stored: RunEvent[]) => void) {
  const stored: RunEvent[] = [];
  const news = createChangeSignal();
  const source = {
    async pageAfter(seq: number) {
      const page = stored.slice(seq);
      beforeArrival(stored);
      news.tell(one);
      return page;
    },
    lastSeq: () => stored.length,
    isOver: () => stored.at(-1)?.type === "run.closed",
    onChange: (wake: () => void) => news.onChange(one, wake),
  };
  return { source, news };
}

it("misses nothing that is appended while it finds nothing", async () => {
  const { source } = createSlowSource((stored) => {
    const next = log[stored.length];
    if (next) stored.push(next);
  });
  const seen: RunEvent[] = [];
  for await (const event of createTail(source, 0)) seen.push(event);
  expect(seen).toEqual(log);
});

it("gives every waiting reader its own place, and forgets those that left", async () => {
  const { source, news } = createSlowSource(() => {});
  const tails = [0, 0].map((after) => createTail(source, after)[Symbol.asyncIterator]());
  const pending = tails.flatMap((tail) => [tail.next(), tail.next()]);
  while (news.waiting < 2) await Promise.resolve();
  await Promise.all(tails.map((tail) => tail.return?.()));
  expect((await Promise.all(pending)).map(({ done }) => done)).toEqual([true, true, true, true]);
  expect(news.waiting).toBe(0);
});
