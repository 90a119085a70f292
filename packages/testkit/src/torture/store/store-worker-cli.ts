/**
 * A node for the torture of the store: it writes several runs at once, takes over those of stopped nodes
 * and continues with them, and prints the answers of the store as lines. It is killed, paused and cut off from
 * its database; on SIGTERM it finishes what it has started.
 */
import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { SessionLockedError, type SessionLog, systemClock } from "@callboard/agent-sdk";
import {
  FencedError,
  isTransientError,
  openStore,
  SessionBusyError,
  type Store,
  StoreUnreachableError,
} from "@callboard/store";
import { createRandom, type Random } from "../random.js";
import { digestOf, type Word, wordLineOf } from "./words.js";
import { caseSchema } from "./workerCase.js";
import { type Author, batchesOf, newRunId, type WrittenRun } from "./writtenRun.js";

const { place, seed, userId, leaseMs, writers } = caseSchema.parse(
  JSON.parse(process.argv[2] ?? ""),
);
const nodeId = `node-${process.pid}-${seed}`;
const logger = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error(message: string, fields?: object) {
    // Pauses and stops of the server are meant to cost leases; the node says so and lets go. All else is a fault.
    if (message.startsWith("Renewing the lease of a run failed")) return;
    console.error(message, fields);
  },
};

/** The server may be away when a node starts: a supervisor restarts it until the server is there. */
async function openWorkerStore(): Promise<Store> {
  for (;;) {
    try {
      return await openStore(place, {
        clock: systemClock,
        logger,
        nodeId,
        leaseMs,
        databaseRetryMs: 60_000,
      });
    } catch (error) {
      if (!isTransientError(error)) throw error;
      await systemClock.sleep(100);
    }
  }
}

const store = await openWorkerStore();
const sessions = store.sessions({ userId });
let isEnding = false;
process.once("SIGTERM", () => {
  isEnding = true;
});

/** In one step, so that a kill leaves at most one line cut. */
function say(word: Word): void {
  writeSync(1, `${wordLineOf(word)}\n`);
}

/**
 * What a node must expect of a database that comes and goes, and of others that work on it too. A session is
 * locked where the node lost a lease, took the run over again, and its own writer has not noticed yet.
 */
function isExpected(error: unknown): boolean {
  return (
    isTransientError(error) ||
    error instanceof StoreUnreachableError ||
    error instanceof SessionBusyError ||
    error instanceof SessionLockedError
  );
}

async function write(
  log: SessionLog,
  run: WrittenRun,
  author: Author,
  random: Random,
): Promise<void> {
  let seq = run.past.length;
  for (const batch of batchesOf(run, author, random)) {
    const answer = await log.append(run.runId, seq, batch);
    if (answer.status === "conflict") {
      // This node lost the lease and took the run over again before its own writer noticed.
      const kept = await store.read.run({ as: "service", runId: run.runId });
      if (kept?.epoch !== author.epoch) throw new FencedError(run.runId);
      throw new Error(`conflict at ${answer.seq}, not ${seq}`);
    }
    const digest = digestOf(batch.map((event) => JSON.stringify(event)));
    say({ type: "stored", runId: run.runId, first: seq + 1, last: answer.seq, digest });
    seq = answer.seq;
    if (random.int(3) === 0) await systemClock.sleep(random.int(12));
  }
}

async function attempt(runId: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (error instanceof FencedError) say({ type: "fenced", runId });
    else if (isExpected(error)) say({ type: "left", runId });
    else throw error;
  }
}

async function begin(random: Random): Promise<void> {
  const run = { runId: newRunId(randomUUID()), sessionId: randomUUID(), past: [] };
  await attempt(run.runId, async () => {
    const log = await sessions.open(run.sessionId, { keepRunsOpen: random.int(2) === 0 });
    try {
      await write(log, run, { nodeId, epoch: 1 }, random);
    } finally {
      await log.close();
    }
  });
}

async function goOn(runId: string, sessionId: string, random: Random): Promise<void> {
  await attempt(runId, async () => {
    const log = await sessions.open(sessionId, { keepRunsOpen: true });
    try {
      const run = await store.read.run({ as: "service", runId });
      if (run?.status !== "open" || run.owner !== nodeId) return;
      const past = await log.read(newRunId(runId), { after: 0 });
      const { epoch } = run;
      await write(log, { runId: newRunId(runId), sessionId, past }, { nodeId, epoch }, random);
    } finally {
      await log.close();
    }
  });
}

async function keepWriting(random: Random): Promise<void> {
  while (!isEnding) {
    await begin(random);
    await systemClock.sleep(random.int(20));
  }
}

async function keepRecovering(random: Random): Promise<void> {
  while (!isEnding) {
    await attempt("-", async () => {
      for (const run of await store.claimOrphans({ limit: 3 })) {
        say({ type: "taken", runId: run.runId, closings: run.closings });
        if (run.status === "open") await goOn(run.runId, run.conversationId, random);
      }
    });
    await systemClock.sleep(100);
  }
}

const random = createRandom(seed);
await Promise.all([
  ...Array.from({ length: writers }, () => keepWriting(createRandom(random.int(1_000_000)))),
  keepRecovering(createRandom(random.int(1_000_000))),
]);
await store.close();
