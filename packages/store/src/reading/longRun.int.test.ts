/** A run of 5,200 events opens page by page: what is asked for is read, and no more. */
import { randomUUID } from "node:crypto";
import { conversationId, type RunEvent, runId } from "@callboard/run-log";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "../store.js";
import { createTestPlace, slowStartMs, storeKinds, type TestPlace } from "../testing/testStore.js";

const length = 5_200;
const page = 100;

function longLog(): readonly RunEvent[] {
  const id = runId(randomUUID());
  return Array.from({ length }, (_, index): RunEvent => {
    const place = { v: 1, runId: id, seq: index + 1, at: 1_800_000_000_000 + index } as const;
    if (index === 0) {
      const conversation = conversationId(randomUUID());
      return { ...place, type: "run.started", conversationId: conversation, model: "long" };
    }
    if (index === length - 1) {
      const usage = { inputTokens: 0, outputTokens: 0 };
      return { ...place, type: "run.closed", outcome: "ok", usage, calls: 0 };
    }
    return { ...place, type: "status.reported", status: `step ${index}` };
  });
}

describe.each(storeKinds)("a long run on %s", (kind) => {
  let place: TestPlace | undefined;
  let store: Store;
  const userId = randomUUID();
  const log = longLog();
  const id = log[0]?.runId ?? runId("none");
  beforeAll(async () => {
    place = await createTestPlace(kind);
    store = await place.open();
    const writer = store.log({ userId });
    for (let from = 0; from < length; from += page) {
      await writer.append(id, from, log.slice(from, from + page));
    }
  }, 5 * slowStartMs);
  afterAll(() => place?.remove());

  it(
    "is read in pages that follow one another",
    async () => {
      const read: RunEvent[] = [];
      let pages = 0;
      for (let after = 0; ; after = read.length) {
        const events = await store.read.events({ as: { userId }, runId: id, after, limit: page });
        if (events.length === 0) break;
        expect(events.length).toBeLessThanOrEqual(page);
        read.push(...events);
        pages += 1;
      }
      expect(pages).toBe(Math.ceil(length / page));
      expect(read).toEqual(log);
    },
    slowStartMs,
  );

  it("is followed from near its end without what came before", async () => {
    const seen: number[] = [];
    for await (const event of store.tail(id, { after: length - 3 })) seen.push(event.seq);
    expect(seen).toEqual([length - 2, length - 1, length]);
  });
});
