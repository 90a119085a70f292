import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "../store.js";
import { createTestPlace, slowStartMs, storeKinds, type TestPlace } from "../testing/testStore.js";

describe.each(storeKinds)("how waiting messages were asked for, on %s", (kind) => {
  let place: TestPlace | undefined;
  let store: Store;
  const owner = { userId: randomUUID() };
  beforeAll(async () => {
    place = await createTestPlace(kind);
    store = await place.open();
  }, slowStartMs);
  afterAll(() => place?.remove());

  async function conversation(): Promise<string> {
    const id = randomUUID();
    await store.conversations.create(owner, id, {});
    return id;
  }

  it("is read as it was kept last, by conversation, until it is forgotten", async () => {
    const { queuedAsks } = store;
    const [one, other] = [await conversation(), await conversation()];
    const ask = { variables: { text: 'a\0b \ud800 "c"' }, clientTools: [], none: undefined };
    await queuedAsks.keep(one, "a", { variables: {} });
    await queuedAsks.keep(one, "a", ask);
    await queuedAsks.keep(one, "b", { variables: {} });
    await queuedAsks.keep(other, "a", { other: true });
    const { none: _, ...kept } = ask;
    expect(Object.fromEntries(await queuedAsks.read(one))).toEqual({
      a: kept,
      b: { variables: {} },
    });
    await queuedAsks.forget(one, ["a", "not there"]);
    expect([...(await queuedAsks.read(one)).keys()]).toEqual(["b"]);
    expect([...(await queuedAsks.read(other)).keys()]).toEqual(["a"]);
  });

  it("is gone with its conversation, and is not kept for one that is gone", async () => {
    const { queuedAsks } = store;
    const id = await conversation();
    await queuedAsks.keep(id, "a", {});
    expect(await store.conversations.remove(owner, id)).toBe(true);
    await queuedAsks.keep(id, "b", {});
    expect([...(await queuedAsks.read(id))]).toEqual([]);
  });
});
