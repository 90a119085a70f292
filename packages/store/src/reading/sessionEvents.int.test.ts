/** Opening a long conversation: one question to the database, no deltas, and the same is known of it. */

import { randomUUID } from "node:crypto";
import { Agent, type AgentOptions, type SessionStore } from "@callboard/agent-sdk";
import { type RunEvent, type RunId, runId } from "@callboard/run-log";
import { isDelta } from "@callboard/run-log/writing";
import { searchCount } from "@callboard/testkit";
import type { KyselyPlugin } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "../store.js";
import { batchesOf } from "../testing/runBatches.js";
import { createTestPlace, slowStartMs, storeKinds, type TestPlace } from "../testing/testStore.js";
import { readSession } from "./sessionEvents.js";

const runs = searchCount(300);
const userId = randomUUID();
const sessionId = randomUUID();

describe.each(storeKinds)(`a session of ${runs} runs on %s`, (kind) => {
  let place: TestPlace | undefined;
  let store: Store;
  const all = new Map<RunId, readonly RunEvent[]>();
  let open: readonly RunEvent[];
  beforeAll(async () => {
    all.clear();
    place = await createTestPlace(kind);
    store = await place.open();
    const log = await store.sessions({ userId }).open(sessionId);
    for (let count = 0; count < runs; count += 1) {
      const id = runId(randomUUID());
      const events = batchesOf(id, 2).flat();
      await log.append(id, 0, events);
      all.set(id, events);
    }
    await log.close();
    const elsewhere = await store.sessions({ userId }).open(randomUUID());
    open = batchesOf(runId(randomUUID()), 2).slice(0, -1).flat();
    await elsewhere.append(open[0]?.runId ?? runId("none"), 0, open);
  }, slowStartMs);
  afterAll(() => place?.remove());

  it("is read in one query, without the deltas of what has ended", async () => {
    let queries = 0;
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        queries += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const known = new Map(
      [...all].map(([id, { length }]) => [id, { lastSeq: length, isClosed: true }]),
    );
    for (const { runId: id, seq } of open) known.set(id, { lastSeq: seq, isClosed: false });
    const read: RunEvent[] = [];
    for await (const page of readSession(store.database.db.withPlugin(counting), known)) {
      read.push(...page);
    }
    expect(queries).toBe(1);
    const ended = [...all.values()].flat().filter((event) => !isDelta(event));
    expect(read).toEqual([...ended, ...open]);
  });

  it("is the same to an agent as one that is read whole, deltas and all", async () => {
    let reads = 0;
    const counted = (isPaged: boolean): SessionStore => {
      const sessions = store.sessions({ userId });
      return {
        ...sessions,
        async open(id, options) {
          const log = await sessions.open(id, options);
          const read: typeof log.read = (...asked) => {
            reads += 1;
            return log.read(...asked);
          };
          async function* whole(): AsyncGenerator<readonly RunEvent[]> {
            for (const run of await log.runIds()) yield await read(run, { after: 0 });
          }
          return { ...log, read, history: isPaged ? log.history : whole };
        },
      };
    };
    const known = async (isPaged: boolean) => {
      reads = 0;
      const options: AgentOptions = { model: "rehearsal", tools: [], env: {}, sessionId };
      const agent = await Agent.create({ ...options, store: counted(isPaged) });
      const opening = reads;
      const { messages, usage } = agent;
      const told: RunEvent[] = [];
      const after = 7;
      for await (const event of agent.events({ after })) {
        if (told.push(event) === [...all.values()].flat().length - after) break;
      }
      await agent.destroy();
      return { opening, messages, usage, told };
    };
    const paged = await known(true);
    const whole = await known(false);
    expect([paged.opening, whole.opening]).toEqual([0, runs]);
    expect(paged.told).toEqual([...all.values()].flat().slice(7));
    expect({ ...paged, opening: 0 }).toEqual({ ...whole, opening: 0 });
  });
});
