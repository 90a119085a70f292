import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Store } from "../store.js";
import { createTestPlace, slowStartMs, storeKinds, type TestPlace } from "../testing/testStore.js";
import { createMemoryStore, type MemoryStore } from "./memoryStore.js";

const hour = 3_600_000;
const now = 1_800_000_000_000;

describe.each(storeKinds)("an agent's memory on %s", (kind) => {
  let place: TestPlace;
  let store: Store;
  let userId: string;
  let memory: MemoryStore;
  beforeAll(async () => {
    place = await createTestPlace(kind);
    store = await place.open();
  }, slowStartMs);
  afterAll(() => place.remove());
  beforeEach(() => {
    userId = randomUUID();
    memory = createMemoryStore(store.database.db, userId);
  });
  const note = (key: string, text = "note") =>
    ({ key, text, term: "long", storedAt: now }) as const;

  it("stores, replaces, lists the newest first and forgets", async () => {
    await memory.put(note("a", "one"), now);
    await memory.put(note("b"), now);
    await memory.put(note("a", "two"), now);
    expect(await memory.get("a", now)).toEqual(note("a", "two"));
    expect(await memory.list(now)).toEqual([note("a", "two"), note("b")]);
    expect([await memory.remove("a", now), await memory.remove("a", now)]).toEqual([true, false]);
    expect(await memory.get("a", now)).toBeUndefined();
    await memory.put(note("a", "three"), now);
    expect(await memory.get("a", now)).toEqual(note("a", "three"));
  });

  it("lets go of what its time is up for", async () => {
    const short = { ...note("s"), term: "short", expiresAt: now + hour } as const;
    await memory.put(short, now);
    expect(await memory.list(now + hour - 1)).toEqual([short]);
    expect(await memory.list(now + hour)).toEqual([]);
    expect(await memory.remove("s", now + hour)).toBe(false);
  });

  it("is one user's, and takes every text", async () => {
    const odd = "nul \u0000, quote ' and \u{1F4CC}";
    await memory.put(note(odd, odd), now);
    const kept = "nul \uFFFD, quote ' and \u{1F4CC}";
    expect(await memory.get(odd, now)).toEqual(note(kept, kept));
    const other = createMemoryStore(store.database.db, randomUUID());
    expect(await other.list(now)).toEqual([]);
    expect(await other.remove(odd, now)).toBe(false);
  });

  it("keeps a bounded number, of which those stored first go", async () => {
    await store.database.withScripts((scripts) =>
      scripts.transaction((session) =>
        session.query(
          `insert into cx_agent_memory (user_id, key, content, updated_at)
           select $1, 'k' || number, 'x', to_timestamp(number) from generate_series(1, 1000) as number`,
          [userId],
        ),
      ),
    );
    await memory.put(note("new"), now);
    const keys = (await memory.list(now)).map(({ key }) => key);
    expect([keys.length, keys[0], keys.at(-1)]).toEqual([1_000, "new", "k2"]);
  });
});
