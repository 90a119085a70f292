/**
 * A whole server whose runs are made up: for measuring what readers cost and what they can do to it,
 * without a database and a model in the way. Requests, streams, limits and authentication are the real ones.
 */
import { randomUUID } from "node:crypto";
import { systemClock } from "@callboard/agent-sdk";
import { getRequestListener } from "@hono/node-server";
import { createLocalAuthenticator, localUserId } from "../auth/localToken.js";
import { loopbackHosts } from "../auth/originGuard.js";
import { createServerApp } from "../createServer.js";
import { listen } from "../http/listener.js";
import { HttpProblem } from "../http/problem.js";
import { createNodeBus } from "../live/nodeBus.js";
import { createAgentDirectory, defaultName } from "../runs/servedAgent.js";
import { limitsFor, type ServerLimits } from "../settings.js";
import type { RunFacts, RunStore } from "../stores/runStore.js";
import { eventAt, lengthOf, played, playOf } from "./plays.js";

export { type Play, playId } from "./plays.js";

export interface ScriptedServer {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

export async function startScriptedServer(
  limits: Partial<ServerLimits> = {},
): Promise<ScriptedServer> {
  const clock = systemClock;
  const token = randomUUID();
  const listener = await listen("127.0.0.1", 0);
  const logger = { debug: quiet, info: quiet, warn: quiet, error: console.error };
  const bus = await createNodeBus({ nodeId: "scripted", logger });
  const app = createServerApp({
    bus,
    store: createPlayStore(),
    conversations: nothingStored,
    sharing: nothingStored,
    shareLinks: nothingStored,
    answerLinks: { ...nothingStored, revoke: refuse },
    fork: async () => undefined,
    directory: createAgentDirectory({ [defaultName]: { tools: [] } }),
    authenticator: createLocalAuthenticator({ userId: localUserId, token }),
    origins: { hosts: loopbackHosts(listener.port), origins: new Set() },
    limits: { ...limitsFor(limits, true), shutdownMs: 0 },
    env: {},
    clock,
    logger,
  });
  listener.serve(getRequestListener(app.app.fetch, { overrideGlobalObjects: false }));
  return {
    url: `http://127.0.0.1:${listener.port}`,
    token,
    async close() {
      await app.close();
      await listener.close();
    },
  };
}

const quiet = (): void => undefined;

function factsOf(runId: string): RunFacts {
  const lastSeq = lengthOf(playOf(runId));
  return {
    runId,
    conversationId: runId,
    userId: localUserId,
    status: "open",
    lastSeq,
    isParked: false,
    createdAt: 0,
  };
}

function createPlayStore(): RunStore {
  return {
    sessions: () => refuse(),
    findRun: async (_, runId) => factsOf(runId),
    accessOf: async () => "owner",
    visibleConversations: async (_, ids) => new Set(ids),
    hasConversation: async () => true,
    listRuns: async () => [],
    async *runsInOrder() {},
    async read(runId, { after, limit }) {
      const play = playOf(runId);
      const count = Math.max(0, Math.min(limit, lengthOf(play) - after));
      const most = play.type === "silence" && after > 0 ? 0 : count;
      return Array.from({ length: most }, (_, index) =>
        eventAt(runId, play, after + index + 1, systemClock.now()),
      );
    },
    outline: async (runId) => ({
      status: "open",
      lastSeq: lengthOf(playOf(runId)),
      outcome: null,
      events: [],
    }),
    callOutput: async () => undefined,
    queuedAsks: {
      keep: async () => undefined,
      read: async () => new Map(),
      forget: async () => undefined,
    },
    messagePosition: async () => 0,
    runOfMessage: async () => undefined,
    tail: (runId, { after }) => played(runId, after, systemClock),
    lastSeqs: async () => new Map(),
    askToCancel: async () => undefined,
    onLost: () => () => undefined,
    onPurged: () => () => undefined,
    onCancelRequested: () => quiet,
    claimOrphans: async () => [],
    findParked: async () => undefined,
    dueRuns: async () => [],
    claimCarrying: async () => [],
    settleCarrying: async () => undefined,
    readSetup: async () => undefined,
  };
}

const nothingStored = {
  list: refuse,
  foundRows: refuse,
  find: async () => undefined,
  create: refuse,
  change: async () => undefined,
  remove: async () => false,
  messages: refuse,
  toolCalls: refuse,
  runs: refuse,
  summaries: refuse,
  figures: refuse,
  shareWith: refuse,
  unshareWith: async () => false,
  publish: refuse,
  revoke: async () => false,
  open: async () => ({ status: "unknown" }) as const,
  hold: refuse,
  release: refuse,
  markUsed: refuse,
};

function refuse(): never {
  throw new HttpProblem(422, "scripted", "This server plays scripted runs and stores nothing.");
}
