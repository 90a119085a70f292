/**
 * The MCP servers of configured agents, connected once and shared by the runs of this node. They are closed
 * when no run has needed them for a while, looked for again when they were lost, and closed with the node.
 * They know nothing of users: what they are configured with is the same for all of them.
 */
import {
  type AgentOptions,
  type Clock,
  type Logger,
  type McpConnections,
  openMcpServers,
  type ToolDefinition,
} from "@callboard/agent-sdk";

type Servers = NonNullable<AgentOptions["mcpServers"]>;

export interface HeldServers {
  readonly tools: readonly ToolDefinition[];
  /** Safe to repeat. */
  release(): void;
}

export interface SharedMcpServers {
  /** Connects them, unless they are; the same configuration is connected once. */
  hold(servers: Servers): Promise<HeldServers>;
  close(): Promise<void>;
}

export interface SharedMcpOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long they stay connected without a run. Default 5 minutes. */
  readonly idleMs?: number;
  readonly connect?: typeof openMcpServers;
}

interface Shared {
  readonly opening: Promise<McpConnections>;
  holders: number;
  /** Ends the waiting for idleness. */
  needed: AbortController;
}

export function createSharedMcpServers(options: SharedMcpOptions): SharedMcpServers {
  const { clock, logger, env, idleMs = 300_000, connect = openMcpServers } = options;
  const open = new Map<Servers, Shared>();
  const closing = new Set<Promise<void>>();

  function drop(servers: Servers, shared: Shared): Promise<void> {
    if (open.get(servers) === shared) open.delete(servers);
    const closed = shared.opening
      .then((connections) => connections.close())
      .catch((error) => logger.warn("MCP servers could not be closed", { error }))
      .finally(() => closing.delete(closed));
    closing.add(closed);
    return closed;
  }

  async function closeWhenIdle(servers: Servers, shared: Shared): Promise<void> {
    const needed = new AbortController();
    shared.needed = needed;
    await clock.sleep(idleMs, needed.signal);
    if (!needed.signal.aborted && shared.holders === 0) await drop(servers, shared);
  }

  async function connections(servers: Servers): Promise<Shared> {
    for (let known = open.get(servers); known; known = open.get(servers)) {
      const isSound = known.holders > 0 || (await known.opening.then(isWhole, () => false));
      // It may have been closed, and another opened, in the meantime.
      if (open.get(servers) !== known) continue;
      if (isSound) return known;
      // One that has never answered lists no tools: it is tried anew rather than missed for ever.
      void drop(servers, known);
    }
    const shared: Shared = {
      opening: connect(servers, { clock, logger, env }),
      holders: 0,
      needed: new AbortController(),
    };
    open.set(servers, shared);
    return shared;
  }

  return {
    async hold(servers) {
      const shared = await connections(servers);
      shared.holders += 1;
      shared.needed.abort();
      let isHeld = true;
      const release = (): void => {
        if (!isHeld) return;
        isHeld = false;
        shared.holders -= 1;
        if (shared.holders === 0) void closeWhenIdle(servers, shared);
      };
      try {
        return { tools: (await shared.opening).tools(), release };
      } catch (error) {
        release();
        void drop(servers, shared);
        throw error;
      }
    },
    async close() {
      for (const [servers, shared] of [...open]) {
        shared.needed.abort();
        void drop(servers, shared);
      }
      await Promise.all(closing);
    },
  };
}

function isWhole(connections: McpConnections): boolean {
  return connections.status().every(({ status, tools }) => status !== "disconnected" || tools > 0);
}
