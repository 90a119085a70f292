/**
 * `callboard acp`: an agent for editors over a pair of streams, v1 and v2 as the client requests. It owns the connection
 * and ends with it; running work is then cancelled and closed.
 */

import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { RequestError } from "@agentclientprotocol/sdk";
import { agentProtocolRouter } from "@agentclientprotocol/sdk/experimental/v2";
import {
  type AgentOptions,
  ConfigurationError,
  callboardHome,
  consoleLogger,
  resolveModel,
  systemClock,
} from "@callboard/agent-sdk";
import { knownWindowOf } from "@callboard/agent-sdk/models";
import { withoutUndefined } from "@callboard/run-log/values";
import { createAcpStream, messageKindOf } from "./acpStream.js";
import { type AgentHost, createAgentHost } from "./agent/agentHost.js";
import { askingClient } from "./agent/askingClient.js";
import type { ClientPort } from "./agent/clientPort.js";
import type { ModelChoice } from "./agent/configOptions.js";
import type { FolderSetup, SessionAgentOptions } from "./agent/folderSetup.js";
import { type ModeId, modeOfPolicy } from "./agent/modes.js";
import type { AuthMethod, ServedAgent } from "./agent/served.js";
import { createFilePlaces, type SessionPlaces } from "./agent/sessionPlaces.js";
import { createV1Agent } from "./agent/v1.js";
import { createV2Agent } from "./agent/v2.js";
import { keepStats } from "./metrics/keptStats.js";
import { lineCallOf } from "./updates/lineCall.js";
import { createUpdateMetrics, type UpdateMetrics } from "./updates/metrics.js";
import type { Pace } from "./updates/pace.js";
import { type ProfileName, profiles } from "./updates/profiles.js";
import { withSilentCalls } from "./updates/silentCalls.js";
import { createUpdateEngine, type UpdateEngine } from "./updates/updateEngine.js";
import type { UpdateStats } from "./updates/updateStats.js";

export interface ServeAcpOptions {
  readonly input: Readable;
  readonly output: Writable;
  /** The options of every session's agent; the client provides folders and servers. */
  readonly agent?: SessionAgentOptions;
  /** Read for each session that is opened: what its folder brings to it. Default nothing. */
  readonly folder?: (cwd: string) => Promise<FolderSetup>;
  /** Models to choose from in the editor. */
  readonly models?: readonly ModelChoice[];
  /** The fields that must be repeated for the client. Default by its name. */
  readonly profile?: ProfileName;
  readonly pace?: Partial<Pace>;
  readonly contextSizeOf?: (model: string) => number | undefined;
  /** Default files under `CALLBOARD_HOME`. */
  readonly places?: SessionPlaces;
  /** The mode of a new session. Default what the agent's approval policy comes to. */
  readonly mode?: ModeId;
  /** The folder of sessions that no editor started. Default the current one. */
  readonly workdir?: string;
  /** The home under which the metrics of updates are stored for a server's `/metrics`. Default none. */
  readonly metricsHome?: string;
  readonly version?: string;
  readonly newId?: () => string;
}

export interface ServedAcp {
  /** Resolves when the client has gone and everything is closed. */
  readonly closed: Promise<void>;
  readonly stats: UpdateStats;
  /** Ends what runs, tells the client of every end, answers its requests, and closes the connection. */
  close(): Promise<void>;
}

/** How long the ends of calls and turns may take to reach a client that may not read any more. */
const closingMs = 2_000;

export function serveAcp(options: ServeAcpOptions): ServedAcp {
  const agent = options.agent ?? {};
  const clock = agent.clock ?? systemClock;
  const env = agent.env ?? process.env;
  const metrics = createUpdateMetrics(() => performance.now());
  let host: AgentHost | undefined;
  let engine: UpdateEngine | undefined;

  const served: ServedAgent = {
    info: { name: "callboard", title: "Callboard", version: options.version ?? "0.1.0" },
    models: options.models ?? [],
    profile: options.profile === undefined ? undefined : profiles[options.profile],
    host(port) {
      const { client, isAsking } = askingClient(port);
      engine = withSilentCalls(engineFor(client, metrics, { ...options, clock }), {
        ...{ clock, isAsking, clientTerminals: client.createTerminal !== undefined },
      });
      host = createAgentHost({
        ...{ agent, client, engine, clock, logger: agent.logger ?? consoleLogger },
        folder: options.folder ?? (async () => ({})),
        places: options.places ?? createFilePlaces(join(callboardHome(env), "acp")),
        newId: options.newId ?? randomUUID,
        contextSizeOf: options.contextSizeOf ?? knownWindowOf,
        workdir: options.workdir ?? process.cwd(),
        mode: options.mode ?? modeOfPolicy(agent.approval?.otherwise),
      });
      return host;
    },
    offer: (sessionId, update) => engine?.offer(sessionId, update),
    settle: (sessionId) => engine?.settle(sessionId) ?? Promise.resolve(),
    later: (work) => void setImmediate(work),
    authMethods: () => (missingKey(agent, env) === undefined ? [] : [environmentKeys]),
    authenticate() {
      const problem = missingKey(agent, env);
      if (problem !== undefined) throw RequestError.authRequired(undefined, problem);
      return {};
    },
  };

  const router = agentProtocolRouter().withV1(createV1Agent(served)).withV2(createV2Agent(served));
  const stream = createAcpStream(options.input, options.output, {
    sent: (message, bytes) => metrics.sent(messageKindOf(message), bytes, lineCallOf(message)),
  });
  const connection = router.connect(stream);
  const { metricsHome: home } = options;
  const logger = agent.logger ?? consoleLogger;
  const kept =
    home === undefined ? undefined : keepStats({ home, clock, logger, stats: () => metrics.stats });
  const closed = connection.closed.then(async () => {
    engine?.close();
    await host?.close();
    await kept?.close();
  });
  /** The client is told while it is still there, or until it is gone. */
  async function toldEnds(): Promise<void> {
    const isOver = new AbortController();
    const told = Promise.all([host?.close()]).then(() => stream.answered());
    void Promise.race([told, connection.closed]).finally(() => isOver.abort());
    await clock.sleep(closingMs, isOver.signal);
  }

  return {
    closed,
    get stats() {
      return metrics.stats;
    },
    async close() {
      await toldEnds();
      options.input.destroy();
      await closed;
    },
  };
}

function engineFor(
  client: ClientPort,
  metrics: UpdateMetrics,
  { clock, pace }: Pick<ServeAcpOptions, "pace"> & { readonly clock: typeof systemClock },
): UpdateEngine {
  const { version, profile } = client.facts;
  return createUpdateEngine({
    ...{ write: client.update, clock, version, profile, metrics, countsLines: false },
    ...withoutUndefined({ pace }),
  });
}

const environmentKeys: AuthMethod = {
  id: "environment",
  name: "A key in the environment",
  description: "Set the key of the model's provider where the agent is started, then try again.",
};

/** The key that the model needs and does not have. Other faults of the model are told when a session is opened. */
function missingKey(
  { model }: Pick<AgentOptions, "model">,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  try {
    resolveModel(model, env);
    return undefined;
  } catch (error) {
    return error instanceof ConfigurationError && error.isMissingKey ? error.message : undefined;
  }
}
