import { randomUUID } from "node:crypto";
import { evolve, initialState, openCallsOf, type RunEvent } from "@callboard/run-log";
import { createLife } from "@callboard/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "../store.js";
import { createTestPlace, slowStartMs, storeKinds, type TestPlace } from "../testing/testStore.js";
import { uuidLife } from "../testing/uuidLog.js";

describe.each(storeKinds)("the outline of a run on %s", (kind) => {
  let place: TestPlace | undefined;
  let store: Store;
  const userId = randomUUID();
  beforeAll(async () => {
    place = await createTestPlace(kind);
    store = await place.open();
  }, slowStartMs);
  afterAll(() => place?.remove());

  async function kept(log: readonly RunEvent[]): Promise<string> {
    const [first] = log;
    if (!first) throw new Error("a life begins with its run");
    await store.log({ userId }).append(first.runId, 0, log);
    return first.runId;
  }

  it("has the open calls as the whole log has them, and little else", async () => {
    const life = createLife("waiting", "Two calls wait.", ({ user, model, tool }) => {
      user.says("Do it");
      model.begins();
      const done = model.calls("Cat", { path: "a" });
      const waiting = model.calls("Shell", { command: "date" });
      model.ends();
      tool.starts(done);
      for (let count = 0; count < 20; count += 1) tool.prints(done, "line\n");
      tool.ends(done, "all lines");
      tool.asks(waiting);
    });
    const log = uuidLife(life.log, randomUUID());
    const runId = await kept(log);
    const outline = await store.read.outline({ as: { userId }, runId });
    expect(outline).toMatchObject({ status: "open", lastSeq: log.length, outcome: null });
    const events = outline?.events ?? [];
    const openIn = (some: readonly RunEvent[]) => [
      ...openCallsOf(some.reduce(evolve, initialState)),
    ];
    expect(openIn(events)).toEqual(openIn(log));
    expect(openIn(log)).toHaveLength(1);
    expect(events.map(({ type }) => type)).toEqual([
      "run.started",
      "message.opened",
      "call.opened",
      "call.input.closed",
      "call.approval.asked",
    ]);
    expect(await store.read.outline({ as: { userId: randomUUID() }, runId })).toBeUndefined();
  });

  it("says how a run ended, without its log", async () => {
    const life = createLife("over", "It ended.", ({ user, model, run }) => {
      user.says("Hello");
      model.begins();
      model.ends();
      run.ends();
    });
    const log = uuidLife(life.log, randomUUID());
    const runId = await kept(log);
    expect(await store.read.outline({ as: { userId }, runId })).toEqual({
      status: "closed",
      lastSeq: log.length,
      outcome: "ok",
      events: [],
    });
    expect(await store.read.outline({ as: "service", runId: "nonsense" })).toBeUndefined();
  });
});
