/** A search for orphaned runs whose connection breaks after the first was taken over. */
import { conversationId, createRecorder, runId } from "@callboard/run-log";
import { openStore } from "@callboard/store";
import { expect, it } from "vitest";
import { createSimServer, type SimServer } from "./database/simServer.js";
import { createNetwork, type Link } from "./network.js";
import { createSimClock } from "./simClock.js";
import { createSimDatabase } from "./simDatabase.js";
import { createWorld } from "./world.js";

const id = "00000000-0000-4000-8000-000000000001";
const conversation = "00000000-0000-4000-8000-000000000002";
const userId = "00000000-0000-4000-8000-000000000003";
const quiet = { debug() {}, info() {}, warn() {}, error() {} };

/** An open run of a node that is gone, which another one may continue with. */
function leaveOrphan({ tables }: SimServer): void {
  const recorder = createRecorder(() => 1);
  const decision = recorder.propose({
    type: "startRun",
    runId: runId(id),
    conversationId: conversationId(conversation),
    model: "simulated",
  });
  const events = decision.status === "accepted" ? decision.events : [];
  const transaction = tables.begin("gone");
  transaction.putConversation({
    id: conversation,
    userId,
    config: {},
    variables: {},
    overrides: {},
    positions: new Map(),
  });
  transaction.putRun({
    id,
    conversationId: conversation,
    userId,
    owner: "gone",
    epoch: 1,
    leaseUntil: 0,
    lastSeq: events.length,
    status: "open",
    isResumable: true,
    cancelRequestedAt: null,
    createdAt: 0,
    parkedAt: null,
    waitsUntil: null,
    carryAt: null,
    endDeltas: [],
    events: events.map((event) => ({
      seq: event.seq,
      type: event.type,
      callId: null,
      event: JSON.stringify(event),
      firstDelta: null,
      rhythm: null,
    })),
    deltas: [],
  });
  transaction.commit();
}

/** The second search finds its connection broken. */
function breakingAtSecondSearch(link: Link): Link {
  let searches = 0;
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
            if (sql.includes("skip locked")) searches += 1;
            if (searches !== 2) return session.execute(sql, parameters, answer);
            const error = Object.assign(new Error("reset"), { code: "ECONNRESET" });
            return answer({ type: "error", error });
          },
        },
      };
    },
  };
}

it("tells of the runs that are this node's now", async () => {
  const world = createWorld(1, () => undefined);
  const server = createSimServer({
    now: world.now,
    onCommit: () => undefined,
    onNotification: () => undefined,
    onFault(error) {
      throw error;
    },
  });
  leaveOrphan(server);
  const actor = { name: "node", isDead: false };
  const link = breakingAtSecondSearch(createNetwork(world, () => server).linkOf(actor));
  const clock = createSimClock(world, actor);
  let taken: readonly unknown[] | undefined;
  async function claim(): Promise<void> {
    const place = { database: createSimDatabase(link) };
    const store = await openStore(place, { clock, logger: quiet, nodeId: actor.name });
    taken = await store.claimOrphans();
  }
  world.after(0, actor, "claims", () => void claim());
  await world.run({ time: world.now() + 5_000, isOver: () => taken !== undefined });
  expect(taken).toMatchObject([{ runId: id, status: "open", epoch: 2 }]);
  expect(server.tables.runs.get(id)?.owner).toBe("node");
});
