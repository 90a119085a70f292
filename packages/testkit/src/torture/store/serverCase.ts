/** Four nodes on one server: kills, pauses longer than a lease, and one immediate stop. */
import { randomUUID } from "node:crypto";
import { systemClock } from "@callboard/agent-sdk";
import { openStore, type Store } from "@callboard/store";
import { startPostgres } from "../../postgres/server.js";
import { createDatabaseOn } from "../../postgres/testDatabase.js";
import { createRandom, type Random } from "../random.js";
import type { CaseReport } from "../torturePart.js";
import { aftermathOf } from "./aftermath.js";
import { createFollower } from "./follower.js";
import type { Word } from "./words.js";
import { startWorker, type WorkerProcess } from "./workerProcess.js";

const nodes = 4;
const leaseMs = 700;
const quiet = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

type Blow = "kill" | "pause" | "stop";

export async function serverCase(seed: number): Promise<CaseReport> {
  const random = createRandom(seed);
  const server = await startPostgres();
  try {
    const { url } = await createDatabaseOn(server.url);
    const store = await openStore({ url }, { clock: systemClock, logger: quiet, pollMs: 500 });
    try {
      return await tortured(store, url, random, async () => {
        await server.stop("immediate");
        await systemClock.sleep(random.int(300));
        await server.start();
      });
    } finally {
      await store.close();
    }
  } finally {
    await server.remove();
  }
}

async function tortured(
  store: Store,
  url: string,
  random: Random,
  stopServer: () => Promise<void>,
): Promise<CaseReport> {
  const words: Word[] = [];
  const userId = randomUUID();
  const follower = createFollower(store);
  const all: WorkerProcess[] = [];
  const hear = (word: Word): void => {
    words.push(word);
    if (word.type === "stored" && word.first === 1 && random.int(4) === 0)
      follower.follow(word.runId);
  };
  const start = (): WorkerProcess => {
    const worker = startWorker(
      { place: { url }, seed: random.int(1_000_000), userId, leaseMs, writers: 2 },
      hear,
    );
    all.push(worker);
    return worker;
  };
  const workers = Array.from({ length: nodes }, start);
  await Promise.all(workers.map((worker) => worker.untilHeard(5)));
  const blows = shuffled(["kill", "kill", "pause", "stop"], random);
  for (const blow of blows) {
    await systemClock.sleep(random.int(500));
    const at = random.int(nodes);
    const worker = workers[at];
    if (!worker) continue;
    if (blow === "stop") {
      // A node that opens its store while the server is away is refused, and says so.
      await Promise.all(workers.map((one) => one.untilHeard(1)));
      await stopServer();
    } else if (blow === "pause") {
      worker.pause();
      await systemClock.sleep(leaseMs + random.int(leaseMs));
      worker.goOn();
    } else {
      await worker.kill();
      workers[at] = start();
    }
  }
  await Promise.all(workers.map((worker) => worker.end()));
  await recoverAll(store);
  const aftermath = await aftermathOf(store, words);
  const faults = [
    ...all.flatMap(({ complaints }) => complaints),
    ...aftermath.faults,
    ...(await follower.faults()),
  ];
  return {
    failure: faults.length === 0 ? undefined : faults.slice(0, 20).join("\n"),
    figures: {
      kills: 2,
      pauses: 1,
      "immediate stops": 1,
      ...aftermath.figures,
      takeovers: words.filter(({ type }) => type === "taken").length,
      fenced: words.filter(({ type }) => type === "fenced").length,
      followed: follower.followed,
    },
  };
}

/** What the last nodes left is taken over once their leases have ended. */
async function recoverAll(store: Store): Promise<void> {
  const isOpen = () =>
    store.database.db
      .selectFrom("cx_run")
      .select("id")
      .where("status", "=", "open")
      .executeTakeFirst();
  while (await isOpen()) {
    const runs = await store.claimOrphans({ limit: 1_000 });
    const kept = runs.filter(({ status }) => status === "open");
    for (const { runId, conversationId, userId } of kept) {
      await store.release(runId);
      await (await store.sessions({ userId }).open(conversationId)).close();
    }
    await systemClock.sleep(100);
  }
}

function shuffled(blows: readonly Blow[], random: Random): readonly Blow[] {
  return blows
    .map((blow) => ({ blow, order: random.int(1_000_000) }))
    .sort((one, other) => one.order - other.order)
    .map(({ blow }) => blow);
}
