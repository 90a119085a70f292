/** A node that cannot renew its leases gives its runs up while nobody else can have them yet. */
import { createFakeClock } from "@callboard/agent-sdk/testing";
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from "kysely";
import { expect, it } from "vitest";
import type { StoreTables } from "../schema.js";
import { createListener } from "../testing/testStore.js";
import type { HeldRun } from "../writing/heldRun.js";
import { startLeaseKeeper } from "./leaseKeeper.js";

const held: HeldRun = {
  runId: "r1",
  conversationId: "c1",
  userId: "u1",
  epoch: 1,
  lastSeq: 3,
  fold: {
    parked: undefined,
    fold: () => {
      throw new Error("nothing is folded here");
    },
  },
};

/** A keeper over a database that answers as the test says; `lost` has when each run was given up. */
function staged(
  answer: (now: number) => Promise<readonly unknown[]>,
  hourAt: (elapsed: number) => number = (elapsed) => elapsed,
  ...others: readonly HeldRun[]
) {
  const clock = createFakeClock(0);
  const driver = new DummyDriver();
  driver.acquireConnection = async () => ({
    async executeQuery<Row>(): Promise<QueryResult<Row>> {
      return JSON.parse(JSON.stringify({ rows: await answer(clock.now()) }));
    },
    streamQuery: () => {
      throw new Error("nothing is streamed here");
    },
  });
  const db = new Kysely<StoreTables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => driver,
      createIntrospector: (own) => new PostgresIntrospector(own),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const lost: number[] = [];
  let runs: readonly HeldRun[] = [held, ...others];
  const keeper = startLeaseKeeper({
    db,
    ownership: { owner: "one", leaseMs: 30_000 },
    clock: { ...clock, now: () => hourAt(clock.monotonic()) },
    logger: createListener(),
    held: () => runs,
    onLost() {
      lost.push(clock.now());
      runs = [];
    },
    onCancelRequested: () => undefined,
  });
  async function pass(milliseconds: number): Promise<void> {
    for (let left = milliseconds; left > 0; left -= 500) {
      await clock.advance(500);
      for (let turn = 0; turn < 20; turn += 1) await new Promise((next) => setImmediate(next));
    }
  }
  return { lost, pass, stop: keeper.stop };
}

const renewed = [{ id: "r1", isCancelAsked: false }];

it("when the database refuses", async () => {
  const { lost, pass, stop } = staged(() => Promise.reject(new Error("away")));
  await pass(30_000);
  expect(lost).toEqual([20_000]);
  stop();
});

it("when the database does not answer at all", async () => {
  const { lost, pass, stop } = staged(() => new Promise(() => undefined));
  await pass(30_000);
  expect(lost).toEqual([21_000]);
  stop();
});

it("also when somebody has set its clock back meanwhile", async () => {
  const setBack = (elapsed: number): number => (elapsed < 5_000 ? elapsed : elapsed - 3_600_000);
  const { lost, pass, stop } = staged(() => Promise.reject(new Error("away")), setBack);
  await pass(30_000);
  expect(lost).toEqual([20_000]);
  stop();
});

it("and not sooner when somebody has set its clock on", async () => {
  const setOn = (elapsed: number): number => (elapsed < 5_000 ? elapsed : elapsed + 3_600_000);
  const { lost, pass, stop } = staged(() => Promise.reject(new Error("away")), setOn);
  await pass(19_500);
  expect(lost).toEqual([]);
  stop();
});

it("but not when it comes back in time", async () => {
  const { lost, pass, stop } = staged((now) =>
    now < 15_000 || now > 40_000 ? Promise.reject(new Error("away")) : Promise.resolve(renewed),
  );
  await pass(50_000);
  expect(lost).toEqual([]);
  await pass(10_000);
  expect(lost).toEqual([55_000]);
  stop();
});

it("nor a run whose start is stored while the leases are renewed", async () => {
  const begun = { ...held, runId: "r2", lastSeq: 0 };
  const both = [...renewed, { id: "r2", isCancelAsked: false }];
  let answers = 0;
  const answer = async () => {
    answers += 1;
    // The first statement does not see the run yet: its start is stored before the answer is read.
    if (answers > 1) return both;
    begun.lastSeq = 3;
    return renewed;
  };
  const { lost, pass, stop } = staged(answer, undefined, begun);
  await pass(20_000);
  expect([lost, answers]).toEqual([[], 2]);
  stop();
});
