/** A stored run is, on every surface and byte for byte, what was streamed while it was written. */
import { randomUUID } from "node:crypto";
import type { RunEvent } from "@callboard/run-log";
import { dialects, lives, searchCount } from "@callboard/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "../store.js";
import {
  createTestPlace,
  type StoreKind,
  slowStartMs,
  storeKinds,
  type TestPlace,
} from "../testing/testStore.js";
import { uuidLife } from "../testing/uuidLog.js";

const names = lives.map(({ name }) => name);
/** A database of either kind keeps the same bytes: the second one is shown some of the lives. */
const namesOn: Readonly<Record<StoreKind, readonly string[]>> = {
  PGlite: names,
  PostgreSQL: names.filter(
    (_, index) => index % Math.ceil(names.length / searchCount(names.length)) === 0,
  ),
};

describe.each(storeKinds)("replay on %s", (kind) => {
  let place: TestPlace | undefined;
  let store: Store;
  const userId = randomUUID();
  beforeAll(async () => {
    place = await createTestPlace(kind);
    store = await place.open();
  }, slowStartMs);
  afterAll(() => place?.remove());

  async function live(log: readonly RunEvent[]): Promise<readonly RunEvent[]> {
    const [first] = log;
    if (!first) throw new Error("a life has events");
    const seen: RunEvent[] = [];
    const reading = (async () => {
      for await (const event of store.tail(first.runId, { after: 0 })) seen.push(event);
    })();
    const writer = store.log({ userId });
    for (let from = 0; from < log.length; from += 5) {
      await writer.append(first.runId, from, log.slice(from, from + 5));
    }
    await reading;
    return seen;
  }

  it.each(namesOn[kind])("of %s equals what was live", async (name) => {
    const log = uuidLife(lives.find((life) => life.name === name)?.log ?? [], randomUUID());
    const runId = log[0]?.runId ?? "";
    const streamed = await live(log);
    const stored = await store.read.events({ as: { userId }, runId, after: 0 });
    for (const dialect of dialects) {
      expect(dialect.linesOf(stored), dialect.name).toEqual(dialect.linesOf(streamed));
    }
    const lines = await store.read.lines({ as: { userId }, runId, after: 0 });
    expect(lines).toEqual(streamed.map((event) => JSON.stringify(event)));
  });

  it("is nobody else's to see", async () => {
    const log = uuidLife(lives[0]?.log ?? [], randomUUID());
    await live(log);
    const runId = log[0]?.runId ?? "";
    const as = { userId: randomUUID() };
    expect(await store.read.events({ as, runId, after: 0 })).toEqual([]);
    expect(await store.read.events({ as: "anonymous", runId, after: 0 })).toEqual([]);
    expect(await store.read.run({ as, runId })).toBeUndefined();
    expect(await store.read.request({ as, runId })).toBeUndefined();
  });
});
