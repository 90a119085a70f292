/** Nothing is written, and nothing is taken for written, that its writer does not own any more. */
import { randomUUID } from "node:crypto";
import { runId } from "@callboard/run-log";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { FencedError } from "../errors.js";
import { createFeed } from "../live/feed.js";
import { batchesOf } from "../testing/runBatches.js";
import { createShakyDatabase, type ShakyDatabase } from "../testing/shakyDatabase.js";
import { createListener, createStillClock, slowStartMs } from "../testing/testStore.js";
import { createTickingClock } from "../testing/tickingClock.js";
import { withTwoNodes } from "../testing/twoNodes.js";
import { appendEvents } from "./eventStatements.js";
import { createGroupCommit } from "./groupCommit.js";
import { createRunLogs } from "./runLogs.js";

describe("a batch of events", () => {
  const nodes = withTwoNodes();

  it.each([
    ["in its own epoch and place", {}, {}, true],
    ["of another owner", {}, { owner: "somebody else" }, false],
    ["of an epoch that is over, though the owner is the same again", { epoch: 3 }, {}, false],
    ["of an epoch that has not begun", {}, { epoch: 2 }, false],
    ["that follows another position", {}, { shift: -1 }, false],
    ["of a run that nobody owns", { owner: null, lease_until: null }, {}, false],
  ])("%s", async (_what, stored, written, isMoved) => {
    const { one, id, begun } = nodes();
    const { events, rest } = await begun();
    const { db } = one.database;
    await db
      .updateTable("cx_run")
      .set({ is_resumable: false, ...stored })
      .where("id", "=", id)
      .execute();
    const {
      owner = one.nodeId,
      epoch = 1,
      shift = 0,
    } = {
      owner: undefined,
      epoch: undefined,
      shift: undefined,
      ...written,
    };
    const batch = {
      runId: id,
      conversationId: "",
      epoch,
      expectedSeq: events.length + shift,
      events: (rest[0] ?? []).map((event) => ({ ...event, seq: event.seq + shift })),
      start: undefined,
      title: undefined,
      parked: undefined,
      folded: new Map(),
      rows: emptyRows,
    };
    const moved = await appendEvents(db, { owner, leaseMs: 30_000 }, [batch], []);
    expect([...moved]).toEqual(isMoved ? [id] : []);
    const head = await db
      .selectFrom("cx_run")
      .select("last_seq")
      .where("id", "=", id)
      .executeTakeFirst();
    const count = events.length + (isMoved ? batch.events.length : 0);
    expect(head).toEqual({ last_seq: count });
    expect(await one.read.events({ as: "service", runId: id, after: 0 })).toHaveLength(count);
  });

  it("that was made before two takeovers is refused to the node that has the run again", async () => {
    const { one, two, id, begun, letLeaseEnd } = nodes();
    const { log, events, rest } = await begun({ keepRunsOpen: true });
    await letLeaseEnd();
    const [taken] = await two.claimOrphans();
    expect(taken).toMatchObject({ runId: id, epoch: 2, status: "open" });
    await two.release(id);
    const closed = events.length + (taken?.closings ?? 0);
    // The first node has it again, in another epoch; the writer from before still holds its own.
    await sql`
      update cx_run set owner = ${one.nodeId}, epoch = 3, lease_until = clock_timestamp() + interval '1 hour'
      where id = ${id}
    `.execute(two.database.db);
    await expect(log.append(id, events.length, rest[0] ?? [])).rejects.toThrow(FencedError);
    expect(await two.read.events({ as: "service", runId: id, after: 0 })).toHaveLength(closed);
  });

  it("is refused with its rows to a node that lost the run", async () => {
    const { one, two, id, begun } = nodes();
    const { log, events, rest } = await begun();
    await sql`update cx_run set epoch = 7 where id = ${id}`.execute(two.database.db);
    await expect(log.append(id, events.length, rest.flat())).rejects.toThrow(FencedError);
    expect(await two.read.request({ as: "service", runId: id })).toMatchObject({
      status: "pending",
      finish_reason: null,
    });
    expect(await one.read.events({ as: "service", runId: id, after: events.length })).toEqual([]);
  });

  it("by which a node whose clock is behind closes a run is dated after what the run says", async () => {
    const { place, id, begun, letLeaseEnd } = nodes();
    const { events } = await begun();
    await letLeaseEnd();
    const behind = await place.open({ clock: createStillClock(1_000) });
    expect(await behind.claimOrphans()).toMatchObject([{ runId: id, status: "closed" }]);
    const closings = await behind.read.events({ as: "service", runId: id, after: events.length });
    expect(closings.map(({ at }) => at)).toEqual(closings.map(() => events.at(-1)?.at));
    const calls = await behind.read.toolCalls({ as: "service", conversationId: nodes().sessionId });
    expect(calls.map(({ duration_ms }) => duration_ms >= 0)).toEqual([true, true]);
    await behind.close();
  });
});

const emptyRows = {
  cx_user_request: { inserts: new Map(), updates: new Map() },
  cx_message: { inserts: new Map(), updates: new Map() },
  cx_tool_call: { inserts: new Map(), updates: new Map() },
};

describe("a batch whose answer never came", () => {
  let shaky: ShakyDatabase;
  const clock = createTickingClock();
  beforeAll(async () => {
    shaky = await createShakyDatabase();
  }, slowStartMs);
  afterAll(() => shaky.database.close());

  it("is not taken for written because another owner wrote as many events", async () => {
    const { database } = shaky;
    const id = runId(randomUUID());
    const conversationId = randomUUID();
    const userId = randomUUID();
    const commit = createGroupCommit({
      database,
      ownership: { owner: "one", leaseMs: 30_000 },
      clock,
      logger: createListener(),
      databaseRetryMs: 1_000,
    });
    const logs = createRunLogs({
      db: database.db,
      owner: "one",
      commit,
      feed: createFeed({ readPage: async () => [], readHead: async () => undefined }),
      claim: () => Promise.reject(new Error("nothing is claimed here")),
      monotonic: clock.monotonic,
      inTime: () => Promise.resolve(),
    });
    const [start = [], next = []] = batchesOf(id, 2);
    await logs.append(id, 0, start, () => ({ conversationId, userId }));
    shaky.stayAway();
    const written = logs.append(id, start.length, next, () => ({ conversationId, userId }));
    const refused = expect(written).rejects.toThrow(FencedError);
    await clock.untilAsleep(50);
    await database.withScripts((scripts) =>
      scripts.transaction((session) =>
        session.query("update cx_run set owner = 'two', epoch = 2, last_seq = $2 where id = $1", [
          id,
          start.length + next.length,
        ]),
      ),
    );
    shaky.mend();
    await clock.advance(50);
    await refused;
  });
});
