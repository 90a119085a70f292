/**
 * A server without a port: store, live streams, runs and routes, connected. A listener passes requests to it; closing it
 * closes its parts in the order of their dependencies.
 */

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { callboardHome, consoleLogger, createRedactor, systemClock } from "@callboard/agent-sdk";
import { createAgentHttpSessions, type McpLogins } from "@callboard/agent-sdk/mcp";
import {
  createSavedRules,
  createSchemaThread,
  type SchemaThread,
} from "@callboard/agent-sdk/serving";
import { collectorFrom, createSpanExport } from "@callboard/agent-sdk/tracing";
import { messageOfError, withoutUndefined } from "@callboard/run-log/values";
import type { MemoryStore, Notices } from "@callboard/store";
import type { Authenticator } from "./auth/caller.js";
import type { OriginRules } from "./auth/originGuard.js";
import { type Application, createApplication } from "./http/application.js";
import { createAddressOf } from "./http/clientAddress.js";
import { createRateLimit } from "./http/rateLimit.js";
import { createReadiness } from "./http/readiness.js";
import type { Route } from "./http/route.js";
import { createForeignRuns } from "./intake/foreignRuns.js";
import { createIntakeStreams } from "./intake/intakeStreams.js";
import { redactedLine } from "./intake/redactedLine.js";
import { createHub } from "./live/hub.js";
import { isCommand } from "./live/nodeBus.js";
import { createStreamRights } from "./live/streamRights.js";
import { createMetrics } from "./metrics.js";
import type { ServerParts } from "./parts.js";
import { createResources, type ResourceReadings } from "./resources.js";
import { loginPageOf, type McpLoginDesk } from "./routes/mcpLogins.js";
import { serverRoutes } from "./routes/serverRoutes.js";
import { cancelRun } from "./runs/cancelRun.js";
import { createClientCalls } from "./runs/clientTools.js";
import { type Command, createCommands } from "./runs/commands.js";
import { createLeftQueues } from "./runs/leftQueue.js";
import { createSharedMcpServers } from "./runs/mcpServers.js";
import type { OtherPrograms } from "./runs/otherPrograms.js";
import { createOutputFiles } from "./runs/outputFiles.js";
import { createMessageQueues } from "./runs/queue.js";
import { type Recovery, startRecovery } from "./runs/recovery.js";
import { createRunHost } from "./runs/runHost.js";
import { createServedTools } from "./runs/servedTools.js";
import { withSharedOutputs } from "./runs/sharedOutputs.js";
import { createRunStarter } from "./runs/startRun.js";
import { wake } from "./runs/waking.js";
import type { ServerLimits, ServerOptions } from "./settings.js";
import { storeProblemOf } from "./storeProblems.js";
import type { Viewer } from "./stores/runStore.js";
import { createOpenStreams } from "./streams/openStreams.js";
import { startNotifier } from "./webhooks/notifier.js";
import { hasWebhook, type Webhook } from "./webhooks/webhook.js";

export interface ServerAppOptions
  extends Pick<
      ServerOptions,
      "clock" | "logger" | "env" | "newId" | "extraMetrics" | "trustedProxies"
    >,
    Pick<
      ServerParts,
      | "store"
      | "conversations"
      | "sharing"
      | "shareLinks"
      | "answerLinks"
      | "fork"
      | "bus"
      | "directory"
    > {
  readonly authenticator: Authenticator;
  readonly origins: OriginRules;
  readonly limits: ServerLimits;
  /** The free resources of the machine. Default: not checked. */
  readonly readResources?: () => Promise<ResourceReadings>;
  /** Rejects if the store does not answer. Absent if it always does. */
  readonly askStore?: () => Promise<unknown>;
  /**
   * Where the agents of a user store their notes. Present on a server for many users; its commands then get nothing of
   * the server's environment. Absent if the server has one user: the notes are in the home.
   */
  readonly memoryOf?: (user: Viewer) => MemoryStore;
  /** The receivers of webhooks, and where pending notices are stored. Absent if no store keeps them. */
  readonly webhooks?: { readonly notices: Notices; readonly webhook: Webhook | undefined };
  /** Where the schemas of clients are compiled and applied. Default a thread of its own. */
  readonly schemas?: SchemaThread;
  /** The logins of a user at MCP servers. Default none. */
  readonly mcpLogins?: (userId: string) => McpLogins;
  /** Where logins that are started here are stored, and their return address. Absent if none can be started. */
  readonly loginDesk?: Pick<McpLoginDesk, "attempts" | "publicUrl">;
  /** Programs on the same home. */
  readonly others?: OtherPrograms;
  /** Further routes: a page, say. */
  readonly routes?: readonly Route[];
}

export interface ServerApp {
  readonly app: Application;
  readonly parts: ServerParts;
  readonly recovery: Recovery;
  /** No new runs; waits for those that run, then ends them and every stream. */
  close(): Promise<void>;
}

const version = "0.1.0";

/** How long readers may take to receive the end of a stream when the server closes. */
const partingMs = 1_000;
const lookMs = 10;

export function createServerApp(options: ServerAppOptions): ServerApp {
  const { store, directory, limits, authenticator, origins, bus } = options;
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? consoleLogger;
  const newId = options.newId ?? randomUUID;
  const env = options.env ?? process.env;
  const metrics = createMetrics();
  const { maxLagBytes, lingerMs, heartbeatMs, stallMs, maxOpenRuns } = limits;
  const schemas = options.schemas ?? createSchemaThread();
  const clientCalls = createClientCalls({ schemas });
  const { mcpLogins: loginsOf, loginDesk } = options;
  const mcp = createSharedMcpServers({
    ...{ clock, logger, env },
    ...withoutUndefined({ loginsOf }),
    ...(loginDesk === undefined
      ? {}
      : { loginPage: (address: string) => loginPageOf(loginDesk.publicUrl, address) }),
  });
  const redactor = createRedactor({ env });
  const collector = collectorFrom(env);
  const spans = collector && createSpanExport({ collector, version, redactor, clock, logger });
  const isTold =
    options.webhooks !== undefined &&
    hasWebhook([
      options.webhooks.webhook,
      ...[...directory.agents.values()].map((agent) => agent.webhook),
    ]);
  const readBytes = createRateLimit(limits.readBytesPerMinute, clock, "bytes read");
  const outputs = join(callboardHome(env, process.platform), "outputs");
  const host = createRunHost({
    store: { ...withSharedOutputs(store, outputs, logger), queuedAsks: store.queuedAsks },
    mcp,
    clock,
    logger,
    env,
    newId,
    maxOpenRuns,
    maxRunsPerUser: limits.maxRunsPerUser,
    maxClientToolsPerUser: limits.maxClientToolsPerUser,
    parkAfterMs: limits.parkAfterMs,
    isTold,
    isTraced: spans !== undefined,
    onRead: readBytes.spend,
    onQueueLeft(left) {
      void leftQueues.begin(left);
    },
    onAppended(events) {
      spans?.observe(events);
      const type = events.at(-1)?.type;
      if (type === "run.parked" || type === "run.closed") notifier?.nudge();
    },
    onClosed: (outcome) => metrics.add("callboard_runs_closed_total", { outcome }),
    onCancelMissed(runId, reason) {
      cancelRun(parts, runId, reason).catch((error) =>
        logger.error("Cancelling a parked run failed; cancel it again.", { runId, error }),
      );
    },
    onBroken({ runId, conversationId }, error) {
      const reason = messageOfError(error);
      rights.broken(conversationId, `Run ${runId} could not be stored to its end: ${reason}`);
    },
  });
  const hub = createHub({
    tail: (runId, after) => store.tail(runId, { after }),
    clock,
    logger,
    maxLagBytes,
    lingerMs,
  });
  const streams = createOpenStreams({
    clock,
    heartbeatMs,
    stallMs,
    maxPerOwner: limits.maxStreamsPerUser,
    onCut: () => metrics.add("callboard_streams_cut_total", { reason: "stalled" }),
  });
  const rights = createStreamRights({
    store,
    bus,
    clock,
    logger,
    rightsMs: limits.rightsMs,
    onLost: (reason) => metrics.add("callboard_streams_cut_total", { reason }),
  });
  const reach = {
    publish: bus.publish,
    onCommand: (listener: (command: Command) => void) =>
      bus.onMessage((message) => {
        if (isCommand(message)) listener(message);
      }),
  };
  const commands = createCommands(host, clientCalls, reach, (runId) => wake(parts, runId), logger);
  const forgets = [
    store.onCancelRequested((runId) => {
      host.cancel(runId, undefined, "cancelled by the user");
    }),
    store.onLost((runId) => host.lose(runId)),
  ];
  const outputFiles = createOutputFiles({ folder: outputs, bus, host, logger });
  forgets.push(store.onPurged(outputFiles.removePurged));
  const parts: ServerParts = {
    store,
    conversations: options.conversations,
    sharing: options.sharing,
    shareLinks: options.shareLinks,
    answerLinks: options.answerLinks,
    fork: options.fork,
    others: options.others,
    host,
    commands,
    clientCalls,
    outputFiles,
    builtinTools: createServedTools({ env, clock, memoryOf: options.memoryOf }),
    directory,
    redactor,
    hub,
    bus,
    streams,
    rights,
    readBytes,
    metrics,
    clock,
    logger,
    env,
    newId,
  };
  let isClosing = false;
  const isStoreThere = createReadiness({ ask: options.askStore ?? (async () => true), clock });
  const resources = createResources({
    clock,
    read: options.readResources ?? (async () => ({ memoryShare: 0 })),
  });
  const notifier =
    isTold && options.webhooks
      ? startNotifier({ ...parts, ...options.webhooks, sweepMs: limits.sweepMs })
      : undefined;
  const starter = createRunStarter(parts, resources);
  const queues = createMessageQueues(parts, starter);
  const leftQueues = createLeftQueues(parts, starter, queues);
  const recovery = startRecovery({ ...parts, leftQueues }, limits.sweepMs);
  const intakeStreams = createIntakeStreams({
    runsOf: (user) => createForeignRuns({ store, bus, logger, user }),
    clock,
    logger,
    redactLine: (text) => redactedLine(parts.redactor, text),
  });
  const mcpSessions = createAgentHttpSessions(version);
  const routes = serverRoutes(parts, {
    starter,
    queues,
    intakeStreams,
    mcpSessions,
    loginDesk: loginsOf && loginDesk && { ...loginDesk, loginsOf },
    savedRules: options.memoryOf
      ? undefined
      : createSavedRules(callboardHome(env, process.platform)),
    metricsToken: env.CALLBOARD_METRICS_TOKEN,
    version,
    async notReady() {
      if (isClosing) return "The server is shutting down.";
      if (!(await isStoreThere())) return "The database does not answer.";
      return (await resources.problem())?.detail;
    },
    ...withoutUndefined({ extraMetrics: options.extraMetrics, routes: options.routes }),
  });
  const app = createApplication({
    routes,
    authenticator,
    origins,
    rateLimit: createRateLimit(limits.requestsPerMinute, clock),
    readBytes,
    bodyBytes: createRateLimit(limits.bodyBytesPerMinute, clock, "bytes"),
    wrongTokens: createRateLimit(limits.wrongTokensPerMinute, clock, "requests with a wrong token"),
    addressOf: createAddressOf(options.trustedProxies ?? []),
    bodyLimits: limits,
    metrics,
    logger,
    newId,
    problemOf: storeProblemOf,
  });

  return {
    app,
    parts,
    recovery,
    async close() {
      isClosing = true;
      const hasRuns = host.openRuns > 0;
      const runsOver = new AbortController();
      // Runs that wait for their turn at a schema when their time is up would wait for all the turns before theirs.
      const schemasClosed = clock
        .sleep(limits.shutdownMs, runsOver.signal)
        .then(() => schemas.close());
      await Promise.all([host.close(limits.shutdownMs), recovery.close()]);
      runsOver.abort();
      for (let waited = 0; hasRuns && streams.count > 0 && waited < partingMs; waited += lookMs) {
        await clock.sleep(lookMs);
      }
      await intakeStreams.close();
      await notifier?.close();
      await spans?.close();
      await mcpSessions.close();
      await mcp.close();
      await schemasClosed;
      commands.close();
      outputFiles.close();
      for (const forget of forgets) forget();
      hub.close();
      rights.close();
      streams.close();
    },
  };
}
