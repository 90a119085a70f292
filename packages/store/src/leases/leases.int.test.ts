/** Nodes that share a server: one owns a run, and whoever loses it writes nothing more. */
import { randomUUID } from "node:crypto";
import { createRecorder, messageId, runId, type Timed } from "@callboard/run-log";
import { sql } from "kysely";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { FencedError, SessionBusyError } from "../errors.js";
import type { StorePlace } from "../storeOptions.js";
import { batchesOf } from "../testing/runBatches.js";
import { createListener, createStillClock } from "../testing/testStore.js";
import { appendAll, withTwoNodes } from "../testing/twoNodes.js";

const nodes = withTwoNodes();

/** A login role of the same server that was granted nothing. */
async function strangerOf(place: StorePlace): Promise<pg.Client> {
  if (!("url" in place)) throw new Error("There is no server.");
  const name = `callboard_stranger_${randomUUID().replaceAll("-", "")}`;
  const owner = new pg.Client({ connectionString: place.url });
  await owner.connect();
  await owner.query(`create role ${name} login password '${name}'`);
  const url = new URL(place.url);
  Object.assign(url, { username: name, password: name });
  const stranger = new pg.Client({ connectionString: url.href });
  await stranger.connect();
  onTestFinished(async () => {
    await stranger.end();
    await owner.query(`drop role ${name}`);
    await owner.end();
  });
  return stranger;
}

describe("a node that is gone", () => {
  it("keeps its runs for as long as its lease", async () => {
    const { two, userId, sessionId, id, begun } = nodes();
    await begun();
    expect(await two.claimOrphans()).toEqual([]);
    await expect(two.sessions({ userId }).open(sessionId)).rejects.toThrow(SessionBusyError);
    await expect(two.sessions({ userId }).remove(sessionId)).rejects.toThrow(SessionBusyError);
    await expect(
      two
        .log({ userId })
        .append(id, 1, [{ v: 1, runId: id, seq: 2, at: 1, type: "status.reported", status: "x" }]),
    ).resolves.toMatchObject({ status: "conflict" });
  });

  it("has its open calls closed by whoever takes the run over, rows and all", async () => {
    const { two, userId, sessionId, id, begun, letLeaseEnd } = nodes();
    const { events } = await begun();
    await letLeaseEnd();
    expect(await two.claimOrphans()).toEqual([
      { runId: id, conversationId: sessionId, userId, status: "closed", epoch: 2, closings: 4 },
    ]);
    expect(await two.claimOrphans()).toEqual([]);
    const stored = await two.read.events({ as: "service", runId: id, after: events.length });
    expect(stored.map(({ type }) => type)).toEqual([
      "call.closed",
      "call.closed",
      "message.closed",
      "run.closed",
    ]);
    const lastAt = events.at(-1)?.at;
    expect(stored.map(({ at }) => at)).toEqual([lastAt, lastAt, lastAt, lastAt]);
    expect(await two.read.request({ as: "service", runId: id })).toMatchObject({
      status: "failed",
      finish_reason: "interrupted",
      total_tool_calls: 2,
    });
    expect(await two.read.run({ as: "service", runId: id })).toMatchObject({
      status: "closed",
      owner: null,
      last_seq: events.length + 4,
    });
  });

  it("is fenced when it comes back: what it appends is not written", async () => {
    const { two, id, begun, letLeaseEnd } = nodes();
    const { log, events, rest } = await begun();
    await letLeaseEnd();
    await two.claimOrphans();
    const before = await two.read.lines({ as: "service", runId: id, after: 0 });
    const [batch = []] = rest;
    await expect(log.append(id, events.length, batch)).rejects.toThrow(FencedError);
    await expect(log.append(id, events.length + 4, batch)).resolves.toMatchObject({
      status: "conflict",
    });
    expect(await two.read.lines({ as: "service", runId: id, after: 0 })).toEqual(before);
    expect(await two.read.run({ as: "service", runId: id })).toMatchObject({ status: "closed" });
  });

  it("continues when it was silent but nobody took its run", async () => {
    const { one, two, id, begun, letLeaseEnd } = nodes();
    const { log, events, rest } = await begun();
    await letLeaseEnd();
    await appendAll(log, rest);
    expect(await one.renew()).toEqual([]);
    const stored = await two.read.events({ as: "service", runId: id, after: 0 });
    expect(stored).toEqual([...events, ...rest.flat()]);
  });

  it("learns of its loss when it renews", async () => {
    const { one, two, id, begun, letLeaseEnd } = nodes();
    await begun();
    const lost: string[] = [];
    one.onLost((run) => lost.push(run));
    await letLeaseEnd();
    await two.claimOrphans();
    expect(await one.renew()).toEqual([id]);
    expect(lost).toEqual([id]);
    expect(await one.renew()).toEqual([]);
  });

  it("that closes its store gives its runs free at once", async () => {
    const { one, two, id, begun } = nodes();
    await begun();
    await one.close();
    expect(await two.claimOrphans()).toMatchObject([{ runId: id, status: "closed" }]);
  });
});

describe("a run whose events come from another program", () => {
  const isCopy = true;

  it("is not closed when its node is gone, and whoever reads the program again continues with it as it stands", async () => {
    const { one, two, userId, sessionId, id, begun } = nodes();
    const { events, rest } = await begun({ isCopy });
    await one.close();
    expect(await two.claimOrphans()).toEqual([]);
    const log = await two.sessions({ userId }).open(sessionId, { isCopy });
    await appendAll(log, rest);
    await log.close();
    const stored = await two.read.events({ as: "service", runId: id, after: 0 });
    expect(stored).toEqual([...events, ...rest.flat()]);
  });

  it("is that program's: an agent does not continue with the conversation meanwhile", async () => {
    const { one, two, userId, sessionId, begun } = nodes();
    await begun({ isCopy });
    await one.close();
    const opening = two.sessions({ userId }).open(sessionId);
    await expect(opening).rejects.toThrow("a run of another program that has not ended");
  });

  it("is closed as interrupted when nothing more of it came for long, and its writer renews that time", async () => {
    const { one, two, id, begun, letLeaseEnd } = nodes();
    await begun({ isCopy });
    const letSourceEnd = () =>
      sql`update cx_run set source_until = clock_timestamp() - interval '1 second'`.execute(
        two.database.db,
      );
    await letSourceEnd();
    await one.renew();
    await letLeaseEnd();
    expect(await two.claimOrphans()).toEqual([]);
    await letSourceEnd();
    expect(await two.claimOrphans()).toMatchObject([{ runId: id, status: "closed" }]);
  });
});

describe("renewing", () => {
  it("keeps a run from being an orphan", async () => {
    const { one, two, begun, letLeaseEnd } = nodes();
    await begun();
    await letLeaseEnd();
    await one.renew();
    expect(await two.claimOrphans()).toEqual([]);
  });

  it("does not take the end of a run for a loss", async () => {
    const { one, begun } = nodes();
    const { log, rest } = await begun();
    await appendAll(log, rest);
    expect(await one.renew()).toEqual([]);
  });
});

describe("a run that somebody asked for", () => {
  it("is never found without how it was asked for, by whichever node", async () => {
    const { one, two, userId, sessionId, id } = nodes();
    const setup = { agentName: "told", variables: { city: "Oslo" }, overrides: {} };
    const log = await one.sessions({ userId, setup }).open(sessionId);
    const [begin = []] = batchesOf(id, 2);
    expect(await two.conversations.readSetup(sessionId)).toBeUndefined();
    await appendAll(log, [begin]);
    expect(await two.conversations.readSetup(sessionId)).toEqual({ ...setup, clientTools: [] });
  });
});

describe("a run that is marked resumable", () => {
  it("stays open with its calls closed, and continues elsewhere", async () => {
    const { two, userId, sessionId, id, begun, letLeaseEnd } = nodes();
    const { events } = await begun({ keepRunsOpen: true });
    await letLeaseEnd();
    expect(await two.claimOrphans()).toEqual([
      { runId: id, conversationId: sessionId, userId, status: "open", epoch: 2, closings: 3 },
    ]);
    const log = await two.sessions({ userId }).open(sessionId, { keepRunsOpen: true });
    const seq = events.length + 3;
    const at = 1_800_000_000_000;
    const closing = {
      v: 1,
      runId: id,
      at,
      seq: seq + 1,
      type: "run.closed",
      outcome: "ok",
    } as const;
    const end = { ...closing, usage: { inputTokens: 0, outputTokens: 0 }, calls: 2 };
    expect(await log.append(id, seq, [end])).toEqual({ status: "appended", seq: seq + 1 });
    await log.close();
    const as = { userId };
    const { messages } = await two.read.messagesWithCalls({ as, conversationId: sessionId });
    expect(messages.map(({ position, status }) => [position, status])).toEqual([
      [0, "active"],
      [1, "active"],
      [2, "active"],
    ]);
  });

  it("is an orphan again when its new owner gives it free", async () => {
    const { two, id, begun, letLeaseEnd } = nodes();
    await begun({ keepRunsOpen: true });
    await letLeaseEnd();
    await two.claimOrphans();
    await two.release(id);
    expect(await two.claimOrphans()).toMatchObject([{ status: "open", closings: 0 }]);
  });

  it("is left to the other node where a takeover is answered so late that it is lost again", async () => {
    const { place, two, begun, letLeaseEnd } = nodes();
    await begun({ keepRunsOpen: true });
    await letLeaseEnd();
    const logger = createListener();
    let now = 0;
    const monotonic = (): number => (now += 3_600_000);
    const late = await place.open({ logger, clock: { ...createStillClock(), monotonic } });
    // No renewal of the lease finds its row, as when another node has taken the run.
    await sql`
      create function lose_renewal() returns trigger language plpgsql as 'begin return null; end';
      create trigger lose_renewal before update on cx_run for each row
        when (new.epoch = old.epoch and new.last_seq = old.last_seq) execute function lose_renewal();
    `.execute(two.database.db);
    expect(await late.claimOrphans()).toEqual([]);
    await sql`drop function lose_renewal cascade`.execute(two.database.db);
    expect(logger.heard.filter(({ level }) => level !== "debug")).toMatchObject([
      { level: "info", message: "Another node took over the run while this node did." },
    ]);
  });
});

describe("orphans", () => {
  it("are each taken by one of many nodes that ask at once", async () => {
    const { place, one, two, userId, letLeaseEnd } = nodes();
    const runs = Array.from({ length: 12 }, () => runId(randomUUID()));
    for (const run of runs) {
      const log = await one.sessions({ userId }).open(randomUUID());
      await appendAll(log, batchesOf(run, 2).slice(0, -2));
    }
    await letLeaseEnd(runs);
    const many = await Promise.all(Array.from({ length: 4 }, () => place.open()));
    const taken = await Promise.all(many.map((node) => node.claimOrphans({ limit: 20 })));
    const ids = taken.flat().map((run) => run.runId);
    expect(ids.toSorted()).toEqual(runs.toSorted());
    const ends = await sql<{ ends: number }>`
      select count(*) as ends from cx_run_event where type = 'run.closed' and run_id = any (${runs}::uuid[])
    `.execute(two.database.db);
    expect(ends.rows[0]?.ends).toBe(12);
    await Promise.all(many.map((node) => node.close()));
  });

  it("that cannot be read are logged and left, and the others are taken", async () => {
    const { place, one, two, userId, id, begun, letLeaseEnd } = nodes();
    const broken = runId(randomUUID());
    const log = await one.sessions({ userId }).open(randomUUID());
    await appendAll(log, batchesOf(broken, 2).slice(0, -2));
    await begun();
    // No delta: those of a text that has ended are removed in the background, a broken one with them.
    await sql`delete from cx_run_event where run_id = ${broken} and seq = 2`.execute(
      two.database.db,
    );
    await sql`
      insert into cx_run_event (run_id, seq, at, type, event) values (${broken}, 2, now(), 'message.opened', '{}')
    `.execute(two.database.db);
    await letLeaseEnd([broken, id]);
    const logger = createListener();
    const three = await place.open({ logger });
    expect(await three.claimOrphans()).toMatchObject([{ runId: id }]);
    expect(logger.heard.filter(({ level }) => level === "error")).toMatchObject([
      { message: "Taking over a run whose node stopped responding failed." },
    ]);
    await three.close();
    await sql`delete from cx_user_request where id = ${broken}`.execute(two.database.db);
  });
});

describe("cancelling", () => {
  it("reaches the node that owns the run", async () => {
    const { one, two, id, begun } = nodes();
    await begun();
    await one.listening;
    const asked = new Promise((resolve) => one.onCancelRequested(resolve));
    expect(await two.cancel(id)).toBe(true);
    expect(await asked).toBe(id);
  });

  it("is found by the owner when it renews, should the news be missed", async () => {
    const { one, two, id, begun } = nodes();
    await begun();
    await sql`update cx_run set cancel_requested_at = now() where id = ${id}`.execute(
      two.database.db,
    );
    const asked: string[] = [];
    one.onCancelRequested((run) => asked.push(run));
    await one.renew();
    expect(asked).toEqual([id]);
  });

  it("is not asked for by a login role without rights, which learns no id either", async () => {
    const { place, one, two, userId, id, begun } = nodes();
    const { log } = await begun();
    await Promise.all([one.listening, two.listening]);
    const stranger = await strangerOf(place.place);
    const heard: string[] = [];
    stranger.on("notification", ({ payload }) => heard.push(payload ?? ""));
    await stranger.query("listen callboard_news");
    const asked: string[] = [];
    one.onCancelRequested((run) => asked.push(run));
    // What such a role may think of, and what another node said, said again.
    const other = runId(randomUUID());
    const otherLog = await two.sessions({ userId }).open(randomUUID());
    await appendAll(otherLog, batchesOf(other, 2).slice(0, 1));
    await expect.poll(() => heard.length).toBeGreaterThan(0);
    expect(heard.join(" ")).not.toMatch(new RegExp(`${id}|${other}|${userId}`));
    const forged = [`cancel ${id}`, `${id}:cancel`, `two ${id}:cancel`, ...heard];
    for (const payload of forged) {
      await stranger.query("select pg_notify('callboard_news', $1)", [payload]);
    }
    // Notifications come in order: a cancel that a node asks for comes after all of them.
    const told = new Promise((resolve) => one.onCancelRequested(resolve));
    expect(await two.cancel(id)).toBe(true);
    expect(await told).toBe(id);
    expect(asked).toEqual([id]);
    await expect(stranger.query("select * from cx_node_secret")).rejects.toThrow(
      "permission denied",
    );
    await log.close();
    await otherLog.close();
  });

  it("has nobody to ask once the run has ended", async () => {
    const { two, id, begun } = nodes();
    const { log, rest } = await begun();
    await appendAll(log, rest);
    expect(await two.cancel(id)).toBe(false);
  });
});

describe("a run that ends with messages that wait", () => {
  it("is claimed once its node had the time of a lease, by one node, until the next run has started", async () => {
    const { one, two, userId, sessionId, id, begun } = nodes();
    const { events } = await begun();
    const log = one.log({ userId });
    const seq = events.length;
    const queued = { messageId: messageId("m"), text: "later", delivery: "run" } as const;
    const recorder = createRecorder(() => 0, events);
    const closings: readonly Timed[] = [
      { type: "queueMessage", ...queued },
      { type: "closeRun", outcome: "interrupted", nextRunId: runId(randomUUID()) },
    ];
    await log.append(
      id,
      seq,
      closings.flatMap((intent) => {
        const decision = recorder.propose(intent);
        if (decision.status === "refused") throw new Error(decision.refusal.message);
        return decision.events;
      }),
    );
    expect(await two.claimCarrying()).toEqual([]);
    const makeDue = sql`update cx_run set carry_at = carry_at - interval '1 hour' where id = ${id}`;
    await makeDue.execute(two.database.db);
    const claims = await Promise.all([one.claimCarrying(), two.claimCarrying()]);
    expect(claims.flat()).toEqual([{ runId: id, conversationId: sessionId, userId }]);
    await makeDue.execute(two.database.db);
    expect(await two.claimCarrying()).toHaveLength(1);
    await one.settleCarrying(id);
    await makeDue.execute(two.database.db);
    expect(await two.claimCarrying()).toEqual([]);
  });
});

describe("a run of which somebody outside is told", () => {
  const holdMs = 60_000;
  const claim = { limit: 10, holdMs };

  async function ended(isTold: boolean) {
    const { one, two, userId, sessionId, id } = nodes();
    const log = await one.sessions({ userId, isTold }).open(sessionId);
    const events = await appendAll(log, batchesOf(id, 1));
    await log.close();
    return { one, two, id, last: events.length };
  }

  it("is claimed by one node, by another when that one is silent, and by none once it was told", async () => {
    const { one, two, id, last } = await ended(true);
    const claims = await Promise.all([one.notices.claim(claim), two.notices.claim(claim)]);
    const [run] = claims.flat();
    expect(claims.flat().length).toBe(1);
    expect(run).toMatchObject({
      runId: id,
      status: "closed",
      toldSeq: 0,
      lastSeq: last,
      attempts: 1,
    });
    const makeDue = sql`update cx_run set tell_at = clock_timestamp() - interval '1 second' where id = ${id}`;
    await makeDue.execute(two.database.db);
    const [again] = await two.notices.claim(claim);
    expect(again).toMatchObject({ runId: id, attempts: 2 });
    if (!run || !again) throw new Error("the run was not claimed");
    // The first one reports late: the claim is the second one's.
    await one.notices.settle(run, { seq: 1, againMs: undefined });
    await makeDue.execute(two.database.db);
    const [third] = await one.notices.claim(claim);
    expect(third).toMatchObject({ runId: id, toldSeq: 1, attempts: 3 });
    if (!third) throw new Error("the run was not claimed");
    await one.notices.settle(third, { seq: last, againMs: undefined });
    expect(await two.notices.claim(claim)).toEqual([]);
  });

  it("is looked at again when it was asked for later, and not before", async () => {
    const { one, two, id } = await ended(true);
    const [run] = await one.notices.claim(claim);
    if (!run) throw new Error("the run was not claimed");
    await one.notices.settle(run, { seq: 0, againMs: 3_600_000 });
    expect(await two.notices.claim(claim)).toEqual([]);
    await sql`update cx_run set tell_at = tell_at - interval '2 hours' where id = ${id}`.execute(
      two.database.db,
    );
    const [again] = await two.notices.claim(claim);
    if (!again) throw new Error("the run was not claimed");
    await two.notices.settle(again, { seq: again.lastSeq, againMs: undefined });
    expect(await one.notices.claim(claim)).toEqual([]);
  });

  it("is none that started without a word of it", async () => {
    const { one } = await ended(false);
    expect(await one.notices.claim(claim)).toEqual([]);
  });
});
