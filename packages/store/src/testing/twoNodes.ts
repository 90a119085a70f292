/** Two nodes on one server for each test, and a run that the first of them has started. */
import { randomUUID } from "node:crypto";
import type { SessionLog } from "@callboard/agent-sdk";
import type { OpenSessionOptions } from "@callboard/agent-sdk/sessions";
import { type RunEvent, type RunId, runId } from "@callboard/run-log";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import type { Store } from "../store.js";
import { batchesOf } from "./runBatches.js";
import { createStillClock, createTestPlace, slowStartMs, type TestPlace } from "./testStore.js";

export interface BegunRun {
  readonly log: SessionLog;
  /** What is stored. */
  readonly events: readonly RunEvent[];
  /** What is still to be written. */
  readonly rest: readonly (readonly RunEvent[])[];
}

export interface TwoNodes {
  readonly place: TestPlace;
  readonly one: Store;
  readonly two: Store;
  readonly userId: string;
  readonly sessionId: string;
  readonly id: RunId;
  /** Starts the run on the first node and leaves two calls open. */
  begun(options?: OpenSessionOptions): Promise<BegunRun>;
  /** As if the node had been silent for longer than its lease. */
  letLeaseEnd(runs?: readonly RunId[]): Promise<void>;
}

export async function appendAll(
  log: SessionLog,
  batches: readonly (readonly RunEvent[])[],
): Promise<readonly RunEvent[]> {
  for (const batch of batches) {
    const [first] = batch;
    if (first) await log.append(first.runId, first.seq - 1, batch);
  }
  return batches.flat();
}

/** The nodes of the test that is under way. */
export function withTwoNodes(): () => TwoNodes {
  const userId = randomUUID();
  let place: TestPlace;
  let current: TwoNodes | undefined;

  beforeAll(async () => {
    place = await createTestPlace("PostgreSQL");
  }, slowStartMs);
  afterAll(() => place.remove());
  beforeEach(async () => {
    const one = await place.open({ nodeId: `one-${randomUUID()}` });
    // An hour after everything that the first node writes: whoever takes a run over comes later.
    const later = createStillClock(1_800_003_600_000);
    const two = await place.open({ nodeId: `two-${randomUUID()}`, clock: later });
    const sessionId = randomUUID();
    const id = runId(randomUUID());
    current = {
      ...{ place, one, two, userId, sessionId, id },
      async begun(options) {
        const log = await one.sessions({ userId }).open(sessionId, options);
        const batches = batchesOf(id, 2);
        const events = await appendAll(log, batches.slice(0, -2));
        return { log, events, rest: batches.slice(-2) };
      },
      async letLeaseEnd(runs = [id]) {
        await sql`
          update cx_run set lease_until = clock_timestamp() - interval '1 second'
          where id = any (${runs}::uuid[])
        `.execute(two.database.db);
      },
    };
  });
  afterEach(async () => {
    await current?.two.database.db.deleteFrom("cx_conversation").execute();
    await current?.one.close();
    await current?.two.close();
  });
  return () => {
    if (!current) throw new Error("no test is under way");
    return current;
  };
}
