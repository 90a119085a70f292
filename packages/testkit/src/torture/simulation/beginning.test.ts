/** A run whose start takes nearly as long as its lease. */
import { conversationId, createRecorder, runId } from "@callboard/run-log";
import { openStore } from "@callboard/store";
import { expect, it } from "vitest";
import { createSimServer } from "./database/simServer.js";
import { createNetwork, type Link } from "./network.js";
import { createSimClock } from "./simClock.js";
import { createSimDatabase } from "./simDatabase.js";
import { type Actor, createWorld, type World } from "./world.js";

const id = runId("00000000-0000-4000-8000-000000000001");
const conversation = conversationId("00000000-0000-4000-8000-000000000002");
const userId = "00000000-0000-4000-8000-000000000003";
const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const leaseMs = 30_000;
const lateMs = 25_000;

/** The answer to the statement that takes the lease comes late, and the transaction continues after it. */
function slowToBegin(link: Link, world: World, actor: Actor): Link {
  return {
    ...link,
    open() {
      const line = link.open();
      const { session } = line;
      return {
        ...line,
        session: {
          ...session,
          execute(sql, parameters, answer) {
            const isLate = sql.includes("cx_begin_run");
            session.execute(sql, parameters, (told) =>
              isLate
                ? world.after(lateMs, actor, "answers late", () => answer(told))
                : answer(told),
            );
          },
        },
      };
    },
  };
}

it("is worked on only after its lease was renewed", async () => {
  const world = createWorld(1, () => undefined);
  const server = createSimServer({
    now: world.now,
    onCommit: () => undefined,
    onNotification: () => undefined,
    onFault(error) {
      throw error;
    },
  });
  const actor = { name: "node", isDead: false };
  const link = slowToBegin(createNetwork(world, () => server).linkOf(actor), world, actor);
  const clock = createSimClock(world, actor);
  const start = { type: "startRun", runId: id, conversationId: conversation, model: "m" } as const;
  const decision = createRecorder(() => 1).propose(start);
  const events = decision.status === "accepted" ? decision.events : [];
  let left: number | undefined;
  async function begin(): Promise<void> {
    const place = { database: createSimDatabase(link) };
    const store = await openStore(place, { clock, logger: quiet, nodeId: actor.name, leaseMs });
    await store.log({ userId }).append(id, 0, events);
    left = (server.tables.runs.get(id)?.leaseUntil ?? 0) - world.now();
  }
  world.after(0, actor, "begins", () => void begin());
  await world.run({ time: world.now() + 60_000, isOver: () => left !== undefined });
  expect(left).toBeGreaterThan(leaseMs * (2 / 3));
});
