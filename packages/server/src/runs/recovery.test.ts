import { createMemorySessionStore } from "@callboard/agent-sdk";
import { createSchemaThread } from "@callboard/agent-sdk/serving";
import { conversationId, createRecorder, messageId, runId, type Timed } from "@callboard/run-log";
import { createFakeClock, eventsOf } from "@callboard/testkit";
import { expect, it } from "vitest";
import { HttpProblem } from "../http/problem.js";
import { createMetrics } from "../metrics.js";
import { quietLogger } from "../testing/place.js";
import { createClientCalls } from "./clientTools.js";
import { startRecovery } from "./recovery.js";
import { createAgentDirectory } from "./servedAgent.js";

/** The conversations that a sweep closes where its host goes on with none, and why. */
async function closedAfter(why: Error): Promise<readonly string[]> {
  const clock = createFakeClock();
  const sessions = createMemorySessionStore({ clock });
  const closed: string[] = [];
  const orphan = { runId: "r", conversationId: "c", userId: "u", status: "open" } as const;
  const parts = {
    store: {
      claimOrphans: async () => [orphan],
      dueRuns: async () => [],
      claimCarrying: async () => [],
      settleCarrying: async () => undefined,
      read: async () => [],
      findParked: async () => undefined,
      readSetup: async () => undefined,
      sessions: () => ({
        ...sessions,
        open(sessionId: string) {
          closed.push(sessionId);
          return sessions.open(sessionId);
        },
      }),
    },
    host: {
      resumeRun: () => Promise.reject(why),
      wake: () => Promise.reject(why),
      cancel: () => false,
      overIn: async () => undefined,
    },
    leftQueues: { begin: async () => undefined },
    directory: createAgentDirectory({ default: {} }),
    builtinTools: () => [],
    clientCalls: createClientCalls({ schemas: createSchemaThread() }),
    clock,
    logger: quietLogger,
    metrics: createMetrics(),
  };
  const recovery = startRecovery(parts, 1_000);
  await recovery.sweep();
  await recovery.close();
  return closed;
}

it("closes a run that cannot be gone on with, but leaves it to others while the node shuts down", async () => {
  expect(await closedAfter(new Error("no such agent"))).toEqual(["c"]);
  expect(await closedAfter(new HttpProblem(503, "shutting-down", ""))).toEqual([]);
});

it("goes on with a run once this node has let go of its session, and with others meanwhile", async () => {
  const clock = createFakeClock();
  const orphanOf = (conversationId: string) =>
    ({ runId: `run of ${conversationId}`, conversationId, userId: "u", status: "open" }) as const;
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const goneOn: string[] = [];
  const recovery = startRecovery(
    {
      store: {
        claimOrphans: async () => [orphanOf("held"), orphanOf("free")],
        dueRuns: async () => [],
        claimCarrying: async () => [],
        settleCarrying: async () => undefined,
        read: async () => [],
        findParked: async () => undefined,
        readSetup: async () => undefined,
        sessions: () => createMemorySessionStore({ clock }),
      },
      host: {
        overIn: (conversationId) => (conversationId === "held" ? held : Promise.resolve()),
        async resumeRun({ runId }) {
          goneOn.push(runId);
        },
        wake: () => Promise.reject(new Error("nothing is parked")),
        cancel: () => false,
      },
      leftQueues: { begin: async () => undefined },
      directory: createAgentDirectory({ default: {} }),
      builtinTools: () => [],
      clientCalls: createClientCalls({ schemas: createSchemaThread() }),
      clock,
      logger: quietLogger,
      metrics: createMetrics(),
    },
    1_000,
  );
  const sweep = recovery.sweep();
  await new Promise((resolve) => setImmediate(resolve));
  expect(goneOn).toEqual(["run of free"]);
  letGo();
  await sweep;
  expect(goneOn).toEqual(["run of free", "run of held"]);
  await recovery.close();
});

it("begins what waited in runs that ended, and settles one in which nothing did", async () => {
  const clock = createFakeClock();
  const recorder = createRecorder(() => 0);
  const intents: readonly Timed[] = [
    { type: "startRun", runId: runId("r1"), conversationId: conversationId("c"), model: "none" },
    { type: "queueMessage", messageId: messageId("m"), text: "later", delivery: "run" },
    { type: "closeRun", outcome: "ok", nextRunId: runId("r2") },
  ];
  const log = intents.flatMap((intent) => eventsOf(recorder.propose(intent)));
  const done: string[] = [];
  const refuse = () => Promise.reject(new Error("nothing is gone on with"));
  const recovery = startRecovery(
    {
      store: {
        claimOrphans: async () => [],
        dueRuns: async () => [],
        claimCarrying: async () =>
          ["r1", "none"].map((id) => ({ runId: id, conversationId: "c", userId: "u" })),
        settleCarrying: async (id) => void done.push(`settled ${id}`),
        read: async (id) => (id === "r1" ? log : []),
        findParked: async () => undefined,
        readSetup: async () => undefined,
        sessions: () => createMemorySessionStore({ clock }),
      },
      host: { overIn: refuse, resumeRun: refuse, wake: refuse, cancel: () => false },
      leftQueues: {
        async begin({ endedRunId, runId: next, waiting }) {
          done.push(`${endedRunId} to ${next}: ${waiting.map(({ text }) => text)}`);
        },
      },
      directory: createAgentDirectory({ default: {} }),
      builtinTools: () => [],
      clientCalls: createClientCalls({ schemas: createSchemaThread() }),
      clock,
      logger: quietLogger,
      metrics: createMetrics(),
    },
    1_000,
  );
  await recovery.sweep();
  await recovery.close();
  expect(done).toEqual(["r1 to r2: later", "settled none"]);
});
