/** Takeovers of orphaned runs whose connection breaks after the first run was taken over. */
import { conversationId, createRecorder, runId } from "@callboard/run-log";
import { openStore, type Store } from "@callboard/store";
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

/** The second statement that contains `text` finds its connection broken. */
function breakingAtSecond(text: string, link: Link): Link {
  let count = 0;
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
            if (sql.includes(text)) count += 1;
            if (!sql.includes(text) || count !== 2) return session.execute(sql, parameters, answer);
            const error = Object.assign(new Error("reset"), { code: "ECONNRESET" });
            return answer({ type: "error", error });
          },
        },
      };
    },
  };
}

/** What a node finds in a database with an orphaned run, over a connection that breaks at the second such statement. */
async function triedBy<Result>(
  text: string,
  work: (store: Store) => Promise<Result>,
): Promise<{ readonly result: Result | undefined; readonly owner: string | null | undefined }> {
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
  const link = breakingAtSecond(text, createNetwork(world, () => server).linkOf(actor));
  const clock = createSimClock(world, actor);
  let result: Result | undefined;
  async function open(): Promise<void> {
    const place = { database: createSimDatabase(link) };
    result = await work(await openStore(place, { clock, logger: quiet, nodeId: actor.name }));
  }
  world.after(0, actor, "opens the store", () => void open());
  await world.run({ time: world.now() + 5_000, isOver: () => result !== undefined });
  return { result, owner: server.tables.runs.get(id)?.owner };
}

it("returns the runs that are this node's now", async () => {
  const { result, owner } = await triedBy("skip locked", (store) => store.claimOrphans());
  expect(result).toMatchObject([{ runId: id, status: "open", epoch: 2 }]);
  expect(owner).toBe("node");
});

it("leaves a run to other nodes if its conversation could not be opened", async () => {
  const { result, owner } = await triedBy("isAwaited", (store) =>
    store
      .sessions({ userId })
      .open(conversation, { keepRunsOpen: true })
      .catch((error: unknown) => error),
  );
  expect(result).toMatchObject({ message: "reset" });
  expect(owner).toBe(null);
});
