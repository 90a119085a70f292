/**
 * A server without a port on a store that is already open: its owner passes requests to it. For programs with a clock, a
 * database or an authenticator of their own, such as the simulation of several nodes.
 */
import type { Clock, Logger } from "@callboard/agent-sdk";
import type { SchemaThread } from "@callboard/agent-sdk/serving";
import type { Store } from "@callboard/store";
import type { Authenticator } from "./auth/caller.js";
import { createServerApp, type ServerApp } from "./createServer.js";
import { openNode } from "./openNode.js";
import { createAgentDirectory, type ServedAgent } from "./runs/servedAgent.js";
import { limitsFor, type ServerLimits } from "./settings.js";

export interface PortlessOptions {
  readonly store: Store;
  readonly agents: Readonly<Record<string, ServedAgent>>;
  readonly authenticator: Authenticator;
  readonly limits?: Partial<ServerLimits>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly newId: () => string;
  /** Where the schemas of clients are compiled. Default a thread. */
  readonly schemas?: SchemaThread;
}

export async function openPortlessServer(options: PortlessOptions): Promise<ServerApp> {
  const { store, agents, limits, ...others } = options;
  const node = await openNode({ ...others, store, home: "" });
  const server = createServerApp({
    ...others,
    bus: node.bus,
    store: node.runs,
    conversations: store.conversations,
    sharing: store.sharing,
    shareLinks: store.shareLinks,
    answerLinks: store.answerLinks,
    fork: store.fork,
    directory: createAgentDirectory(agents),
    origins: { hosts: undefined, origins: new Set() },
    limits: limitsFor(limits, true),
  });
  return {
    ...server,
    async close() {
      await server.close();
      await node.close();
    },
  };
}
