import { randomUUID } from "node:crypto";
import {
  callId,
  conversationId,
  createRecorder,
  messageId,
  type RunEvent,
  type RunId,
  runId,
  type Timed,
} from "@callboard/run-log";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Store } from "./store.js";
import { createTestPlace, slowStartMs, type TestPlace } from "./testing/testStore.js";

/** The same over the store's own functions: what three nodes do with one run, in every order and all at once. */
describe("three nodes and one run", () => {
  let place: TestPlace;
  let worker: Store;
  let canceller: Store;
  let recoverer: Store;
  const userId = randomUUID();
  beforeAll(async () => {
    place = await createTestPlace("PostgreSQL");
    worker = await place.open({ nodeId: "worker" });
    canceller = await place.open({ nodeId: "canceller" });
    recoverer = await place.open({ nodeId: "recoverer" });
  }, slowStartMs);
  afterAll(() => place.remove());

  const acts = ["start", "end", "cancel", "recover"] as const;
  type Act = (typeof acts)[number];

  /** A life that starts, and the two ways in which its own node may end it. */
  function lifeOf(id: RunId, conversation: string) {
    const recorded = (...endings: readonly Timed[]): readonly RunEvent[] => {
      let now = 1_800_000_000_000;
      const recorder = createRecorder(() => {
        now += 1;
        return now;
      });
      const said = messageId(`said-${id}`);
      const beginning: readonly Timed[] = [
        {
          type: "startRun",
          runId: id,
          conversationId: conversationId(conversation),
          model: "rehearsal",
        },
        { type: "openMessage", messageId: said, role: "assistant" },
        {
          type: "openCall",
          callId: callId("call_1"),
          messageId: said,
          toolName: "shell",
          toolType: "local",
        },
      ];
      return [...beginning, ...endings].flatMap((intent) => {
        const decision = recorder.propose(intent);
        if (decision.status === "refused") throw new Error(decision.refusal.message);
        return decision.events;
      });
    };
    const started = recorded();
    const rest = (outcome: "ok" | "cancelled") =>
      recorded(
        { type: "closeCall", callId: callId("call_1"), outcome: "cancelled", message: outcome },
        { type: "closeRun", outcome },
      ).slice(started.length);
    return { started, ended: rest("ok"), cancelled: rest("cancelled") };
  }

  async function endLeaseOf(id: RunId): Promise<void> {
    await sql`
      update cx_run set lease_until = clock_timestamp() - interval '1 second'
      where id = ${id} and status = 'open' and owner is not null
    `.execute(recoverer.database.db);
  }

  function actsOn(id: RunId): Readonly<Record<Act, () => Promise<unknown>>> {
    const { started, ended, cancelled } = lifeOf(id, randomUUID());
    const log = worker.log({ userId });
    const recover = async () => {
      await endLeaseOf(id);
      await recoverer.claimOrphans();
    };
    return {
      start: () => log.append(id, 0, started),
      end: () => log.append(id, started.length, ended),
      cancel: async () => {
        if (await canceller.cancel(id)) await log.append(id, started.length, cancelled);
      },
      recover,
    };
  }

  /** However it went: after a last recovery everything has ended, once, and the rows say the same. */
  async function expectOneEnd(id: RunId): Promise<void> {
    await endLeaseOf(id);
    await recoverer.claimOrphans();
    const events = await recoverer.read.events({ as: "service", runId: id, after: 0 });
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    const count = (type: RunEvent["type"]) => events.filter((event) => event.type === type).length;
    const counts = [count("call.opened"), count("call.closed"), count("run.closed")];
    expect(counts).toEqual([1, 1, 1]);
    expect(events.at(-1)?.type).toBe("run.closed");
    const { rows } = await sql<{ run: string; call: string; request: string }>`
      select run.status as run, call.status as call, request.status as request
      from cx_run as run
      join cx_tool_call as call on call.request_id = run.id
      join cx_user_request as request on request.id = run.id
      where run.id = ${id}
    `.execute(recoverer.database.db);
    expect(rows).toHaveLength(1);
    expect(rows[0]).toMatchObject({ run: "closed", call: "error" });
    expect(rows[0]?.request).not.toBe("pending");
  }

  function ordersOf(left: readonly Act[]): readonly (readonly Act[])[] {
    if (left.length === 0) return [[]];
    return left.flatMap((act) =>
      ordersOf(left.filter((other) => other !== act)).map((order) => [act, ...order]),
    );
  }

  it.each(ordersOf(acts))("%s, %s, %s, %s: one end", async (...order) => {
    const id = runId(randomUUID());
    const doing = actsOn(id);
    for (const act of order) await Promise.allSettled([doing[act]()]);
    await expectOneEnd(id);
  });

  it.each(ordersOf(["end", "cancel", "recover"]))(
    "start, then %s, %s and %s at once: one end",
    async (...order) => {
      for (let time = 0; time < 10; time += 1) {
        const id = runId(randomUUID());
        const doing = actsOn(id);
        await doing.start();
        await Promise.allSettled(order.map((act) => doing[act]()));
        await expectOneEnd(id);
      }
    },
  );

  it("all at once: one end", async () => {
    for (const order of ordersOf(acts)) {
      const id = runId(randomUUID());
      const doing = actsOn(id);
      await Promise.allSettled(order.map((act) => doing[act]()));
      await expectOneEnd(id);
    }
  });
});
