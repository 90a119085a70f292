import { randomUUID } from "node:crypto";
import { createMigratedDatabase, type TestDatabase } from "@callboard/testkit/postgres";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  openSession,
  ordersOf,
  runInOrder,
  type Session,
  type Step,
} from "./testing/interleaving.js";

/**
 * A node starts a call and ends it; somebody cancels the same call beside it; another node takes the run over,
 * since the first one's lease is up. Three sessions, and every order in which their transactions overlap.
 */
describe("start, end, cancel and recover in every order", () => {
  let test: TestDatabase;
  let observer: pg.Client;
  let sessions: readonly Session[];
  const conversationId = randomUUID();
  const userId = randomUUID();

  beforeAll(async () => {
    test = await createMigratedDatabase();
    observer = new pg.Client({ connectionString: test.url });
    await observer.connect();
    await observer.query("insert into cx_conversation (id, user_id) values ($1, $2)", [
      conversationId,
      userId,
    ]);
    sessions = await Promise.all(
      ["worker", "canceller", "recoverer"].map((name) => openSession(name, test.url)),
    );
  });
  afterAll(async () => {
    await Promise.all(sessions.map(({ client }) => client.end()));
    await observer.end();
    await test.drop();
  });

  /** Runs that the worker owns in epoch 1, with a lease that is up, and nothing in them yet. */
  async function newRuns(count: number): Promise<readonly string[]> {
    const ids = Array.from({ length: count }, () => randomUUID());
    await observer.query(
      `with request as (
         insert into cx_user_request (id, conversation_id, user_id) select id, $2, $3 from unnest($1::uuid[]) as id
       )
       insert into cx_run (id, conversation_id, user_id, owner, epoch, lease_until, last_seq)
       select id, $2, $3, 'worker', 1, now() - interval '1 hour', 1 from unnest($1::uuid[]) as id`,
      [ids, conversationId, userId],
    );
    await observer.query(
      `insert into cx_run_event (run_id, seq, at, type, event)
       select id, 1, now(), 'run.started', '{"type":"run.started"}' from unnest($1::uuid[]) as id`,
      [ids],
    );
    return ids;
  }

  interface Told {
    readonly run_id: string;
    readonly seq: string;
    readonly type: string;
    readonly event: { readonly by?: string };
  }

  async function eventsOf(runs: readonly string[]): Promise<ReadonlyMap<string, readonly Told[]>> {
    const { rows } = await observer.query<Told>(
      "select run_id, seq, type, event from cx_run_event where run_id = any ($1) order by seq",
      [runs],
    );
    return new Map(runs.map((id) => [id, rows.filter(({ run_id }) => run_id === id)]));
  }

  async function isOpenCall(client: pg.Client, runId: string): Promise<boolean> {
    const { rows } = await client.query<{ is_open: boolean }>(
      `select count(*) filter (where type = 'call.opened') > 0
         and count(*) filter (where type = 'call.closed') = 0 as is_open
       from cx_run_event where run_id = $1`,
      [runId],
    );
    return rows[0]?.is_open === true;
  }

  interface Writer {
    /** Opens the call, or ends it, unless it is not this writer's to do. */
    start(client: pg.Client, runId: string): Promise<void>;
    close(client: pg.Client, runId: string, by: string): Promise<void>;
    recover(client: pg.Client, runId: string): Promise<void>;
  }

  /** As the store writes: under the lock of the run's row, in its epoch, from the position it knows. */
  const careful: Writer = {
    async start(client, runId) {
      const seq = await nextSeq(client, runId, "worker", 1);
      if (seq === 2) await append(client, runId, seq, "call.opened", "worker");
    },
    async close(client, runId, by) {
      await client.query("select 1 from cx_run where id = $1 for update", [runId]);
      if (!(await isOpenCall(client, runId))) return;
      const seq = await nextSeq(client, runId, "worker", 1);
      if (seq !== undefined) await append(client, runId, seq, "call.closed", by);
    },
    async recover(client, runId) {
      const { rows } = await client.query<{ last_seq: string }>(
        `update cx_run set owner = 'recoverer', epoch = epoch + 1, lease_until = now() + interval '1 hour'
         where id = (
           select id from cx_run where id = $1 and status = 'open' and lease_until < now() for update skip locked
         )
         returning last_seq`,
        [runId],
      );
      if (rows.length === 0 || !(await isOpenCall(client, runId))) return;
      const seq = await nextSeq(client, runId, "recoverer", 2);
      if (seq !== undefined) await append(client, runId, seq, "call.closed", "recoverer");
    },
  };

  /** As nobody should: without a lock, without an epoch, and without looking whether the call is open. */
  const careless: Writer = {
    start: (client, runId) => appendAnyway(client, runId, "call.opened", "worker"),
    close: (client, runId, by) => appendAnyway(client, runId, "call.closed", by),
    recover: (client, runId) => appendAnyway(client, runId, "call.closed", "recoverer"),
  };

  /** Each act is a transaction of two steps: what it writes, and its end. A refusal ends it as well. */
  function actsOf(writer: Writer, runId: string): readonly (readonly Step[])[] {
    const act = (work: Step): readonly Step[] => {
      let isRefused = false;
      return [
        async (client) => {
          await client.query("begin");
          try {
            await work(client);
          } catch (error) {
            if (!isIntegrityError(error)) throw error;
            isRefused = true;
          }
        },
        async (client) => {
          await client.query(isRefused ? "rollback" : "commit");
        },
      ];
    };
    return [
      [
        ...act((client) => writer.start(client, runId)),
        ...act((client) => writer.close(client, runId, "worker")),
      ],
      act((client) => writer.close(client, runId, "canceller")),
      act((client) => writer.recover(client, runId)),
    ];
  }

  const orders = ordersOf([4, 2, 2]);

  async function outcomesOf(writer: Writer): Promise<Readonly<Record<string, number>>> {
    const outcomes: Record<string, number> = {};
    const runs = await newRuns(orders.length);
    for (const [index, runId] of runs.entries()) {
      await runInOrder(orders[index] ?? [], sessions, actsOf(writer, runId), observer);
    }
    for (const events of (await eventsOf(runs)).values()) {
      const closings = events.filter(({ type }) => type === "call.closed");
      const openings = events.filter(({ type }) => type === "call.opened");
      expect(events.map(({ seq }) => Number(seq))).toEqual(events.map((_, index) => index + 1));
      const outcome = `${openings.length} opened, ${closings.length} closed by ${closings[0]?.event.by ?? "nobody"}`;
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
    }
    return outcomes;
  }

  it("has 420 orders", () => {
    expect(orders.length).toBe(420);
  });

  it("ends a call once, by one of them, when writers keep to the lock and the epoch", async () => {
    const outcomes = await outcomesOf(careful);
    expect(new Set(Object.keys(outcomes))).toEqual(
      new Set([
        "0 opened, 0 closed by nobody",
        "1 opened, 1 closed by canceller",
        "1 opened, 1 closed by recoverer",
        "1 opened, 1 closed by worker",
      ]),
    );
  });

  it("ends a call once, by one of them, however writers behave: the database sees to it", async () => {
    expect(new Set(Object.keys(await outcomesOf(careless)))).toEqual(
      new Set([
        "1 opened, 1 closed by canceller",
        "1 opened, 1 closed by recoverer",
        "1 opened, 1 closed by worker",
      ]),
    );
  });
});

/** The position after the last, for the owner of the run in its epoch alone; taken under the row's lock. */
async function nextSeq(
  client: pg.Client,
  runId: string,
  owner: string,
  epoch: number,
): Promise<number | undefined> {
  const { rows } = await client.query<{ last_seq: string }>(
    `update cx_run set last_seq = last_seq + 1
     where id = $1 and owner = $2 and epoch = $3 and status = 'open' returning last_seq`,
    [runId, owner, epoch],
  );
  return rows[0] === undefined ? undefined : Number(rows[0].last_seq);
}

async function append(
  client: pg.Client,
  runId: string,
  seq: number,
  type: string,
  by = "nobody",
): Promise<void> {
  await client.query(
    "insert into cx_run_event (run_id, seq, at, type, call_id, event) values ($1, $2, now(), $3, $4, $5)",
    [runId, seq, type, type.startsWith("call.") ? "call_1" : null, JSON.stringify({ type, by })],
  );
}

async function appendAnyway(
  client: pg.Client,
  runId: string,
  type: string,
  by: string,
): Promise<void> {
  const { rows } = await client.query<{ seq: number }>(
    "select max(seq)::int + 1 as seq from cx_run_event where run_id = $1",
    [runId],
  );
  await append(client, runId, rows[0]?.seq ?? 1, type, by);
}

/** What a constraint or the log's trigger refuses. */
function isIntegrityError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith("23") === true;
}
