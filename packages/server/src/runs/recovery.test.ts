import { createMemorySessionStore, LogWriteError } from "@callboard/agent-sdk";
import { createSchemaThread } from "@callboard/agent-sdk/serving";
import { conversationId, createRecorder, messageId, runId, type Timed } from "@callboard/run-log";
import { FencedError, SessionBusyError } from "@callboard/store";
import { createFakeClock, eventsOf } from "@callboard/testkit";
import { expect, it } from "vitest";
import { HttpProblem } from "../http/problem.js";
import { createMetrics } from "../metrics.js";
import { allowedRun, allowedRunNow, leaveAllowedRun } from "../testing/allowedRun.js";
import { quietLogger } from "../testing/place.js";
import { createQueuedAsks } from "../testing/queuedAsks.js";
import { createClientCalls } from "./clientTools.js";
import { startRecovery } from "./recovery.js";
import { ToolNameTakenError } from "./refusals.js";
import { createAgentDirectory } from "./servedAgent.js";

const orphan = { ...allowedRun, userId: "u", status: "open" } as const;

/** How a sweep leaves that run where its host cannot continue with it. */
async function leftAfter(why: Error, sweeps = 1): Promise<string> {
  const clock = createFakeClock();
  const sessions = createMemorySessionStore({ clock });
  await leaveAllowedRun(sessions, ["pay"]);
  const parts = {
    store: {
      claimOrphans: async () => [orphan],
      dueRuns: async () => [],
      claimCarrying: async () => [],
      settleCarrying: async () => undefined,
      read: async () => [],
      findParked: async () => undefined,
      readSetup: async () => undefined,
      queuedAsks: createQueuedAsks(),
      sessions: () => sessions,
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
  for (let done = 0; done < sweeps; done += 1) await recovery.sweep();
  await recovery.close();
  return allowedRunNow(sessions, ["pay"]);
}

it("closes a run that cannot be resumed, but leaves it to others while the node shuts down", async () => {
  const interrupted = "run closed, pay interrupted";
  expect(await leftAfter(new HttpProblem(422, "unknown-agent", "no such agent"))).toBe(interrupted);
  expect(await leftAfter(new ToolNameTakenError("pay"))).toBe(interrupted);
  expect(await leftAfter(new HttpProblem(503, "shutting-down", ""))).toBe("run open, pay ready");
});

it("keeps a call that was allowed when taking over its run fails for a reason that may pass", async () => {
  const ready = "run open, pay ready";
  // The lease of this node ended too, while it took the run over: any node may continue with it.
  expect(await leftAfter(new FencedError("r"), 20)).toBe(ready);
  expect(await leftAfter(new LogWriteError("not stored"), 20)).toBe(ready);
  expect(await leftAfter(new SessionBusyError("c", "n2"))).toBe(ready);
  expect(await leftAfter(new HttpProblem(503, "too-many-runs", ""))).toBe(ready);
  expect(await leftAfter(new Error("read ECONNRESET"), 9)).toBe(ready);
  expect(await leftAfter(new Error("always"), 10)).toBe("run closed, pay interrupted");
});

it("continues with a run once this node has let go of its session, and with others meanwhile", async () => {
  const clock = createFakeClock();
  const orphanOf = (conversationId: string) =>
    ({ runId: `run of ${conversationId}`, conversationId, userId: "u", status: "open" }) as const;
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const goneOn: string[] = [];
  const known: unknown[] = [];
  const queuedAsks = createQueuedAsks();
  const user = { userId: "u", limitedAs: "u" };
  const ask = { runId: "r2", user, variables: { n: "1" }, overrides: {}, clientTools: [] };
  for (const name of ["held", "free"]) {
    await queuedAsks.keep(orphanOf(name).conversationId, "m", ask);
  }
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
        queuedAsks,
        sessions: () => createMemorySessionStore({ clock }),
      },
      host: {
        overIn: (conversationId) => (conversationId === "held" ? held : Promise.resolve()),
        async resumeRun({ runId, asks }) {
          goneOn.push(runId);
          known.push(asks?.get("m"));
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
  expect(known).toMatchObject([ask, ask]);
  await recovery.close();
});

it("starts what waited in runs that ended, and settles one in which nothing did", async () => {
  const clock = createFakeClock();
  const recorder = createRecorder(() => 0);
  const intents: readonly Timed[] = [
    { type: "startRun", runId: runId("r1"), conversationId: conversationId("c"), model: "none" },
    { type: "queueMessage", messageId: messageId("m"), text: "later", delivery: "run" },
    { type: "closeRun", outcome: "ok", nextRunId: runId("r2") },
  ];
  const log = intents.flatMap((intent) => eventsOf(recorder.propose(intent)));
  const done: string[] = [];
  const queuedAsks = createQueuedAsks();
  const clientTools = [{ name: "open_tab", description: "", expires_in_seconds: 60 }];
  const ask = { runId: "r2", user: { userId: "u", limitedAs: "u" }, agentName: "other" };
  await queuedAsks.keep("c", "m", { ...ask, variables: { n: "1" }, overrides: {}, clientTools });
  await queuedAsks.keep("c", "unreadable", { ...ask, variables: 7 });
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
        queuedAsks,
        sessions: () => createMemorySessionStore({ clock }),
      },
      host: { overIn: refuse, resumeRun: refuse, wake: refuse, cancel: () => false },
      leftQueues: {
        async begin({ endedRunId, runId: next, waiting, asks }) {
          done.push(`${endedRunId} to ${next}: ${waiting.map(({ text }) => text)}`);
          for (const [id, { agentName, clientTools: tools }] of asks) {
            done.push(`${id} of ${agentName} with ${tools.map(({ name }) => name)}`);
          }
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
  expect(done).toEqual(["r1 to r2: later", "m of other with open_tab", "settled none"]);
});
