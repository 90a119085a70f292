/**
 * The MCP servers of configured agents, connected once and shared by the runs of this node. They are closed when no run
 * has needed them for a while, reconnected when they were lost, and closed with the node. They know no users: their
 * configuration is the same for all of them. If a server may ask the person something, or has logins, each user has
 * connections of their own, so that no question and no login reaches another user.
 */

import type { AgentOptions, Clock, Logger, ToolDefinition } from "@callboard/agent-sdk";
import {
  type McpConnections,
  type McpLogins,
  openMcpServers,
  takesLogins,
} from "@callboard/agent-sdk/mcp";
import { withoutUndefined } from "@callboard/run-log/values";

type Servers = NonNullable<AgentOptions["mcpServers"]>;

export interface HeldServers {
  readonly tools: readonly ToolDefinition[];
  /** Safe to repeat. */
  release(): void;
}

export interface SharedMcpServers {
  /**
   * Connects them, unless they are connected; the same configuration is connected once for all users, or once for each
   * user if servers may ask or have logins: then a question and a login are the user's own.
   */
  hold(
    servers: Servers,
    user: { readonly userId: string; readonly canAsk: boolean },
  ): Promise<HeldServers>;
  close(): Promise<void>;
}

export interface SharedMcpOptions {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How long they stay connected without a run. Default 5 minutes. */
  readonly idleMs?: number;
  readonly connect?: typeof openMcpServers;
  /** The logins of a user. Default none. */
  readonly loginsOf?: (userId: string) => McpLogins;
  /** The page on which users log in at a server of this address. Default none. */
  readonly loginPage?: (address: string) => string;
}

const howToLogIn = (): string => "Log in there with the list of MCP servers of this Callboard.";

interface Shared {
  readonly opening: Promise<McpConnections>;
  holders: number;
  /** Ends the waiting for idleness. */
  needed: AbortController;
}

export function createSharedMcpServers(options: SharedMcpOptions): SharedMcpServers {
  const { clock, logger, env, idleMs = 300_000, connect = openMcpServers } = options;
  const { loginsOf, loginPage } = options;
  const open = new Map<string, Shared>();
  const numbers = new Map<Servers, number>();
  const closing = new Set<Promise<void>>();

  function keyOf(servers: Servers, userId: string, canAsk: boolean): string {
    const number = numbers.get(servers) ?? numbers.size;
    numbers.set(servers, number);
    const isOwn = canAsk || (loginsOf !== undefined && Object.values(servers).some(takesLogins));
    return `${number} ${canAsk} ${isOwn ? userId : ""}`;
  }

  function drop(key: string, shared: Shared): Promise<void> {
    if (open.get(key) === shared) open.delete(key);
    const closed = shared.opening
      .then((connections) => connections.close())
      .catch((error) => logger.warn("Closing MCP servers failed.", { error }))
      .finally(() => closing.delete(closed));
    closing.add(closed);
    return closed;
  }

  async function closeWhenIdle(key: string, shared: Shared): Promise<void> {
    const needed = new AbortController();
    shared.needed = needed;
    await clock.sleep(idleMs, needed.signal);
    if (!needed.signal.aborted && shared.holders === 0) await drop(key, shared);
  }

  async function connections(
    key: string,
    servers: Servers,
    { userId, canAsk }: { readonly userId: string; readonly canAsk: boolean },
  ): Promise<Shared> {
    for (let known = open.get(key); known; known = open.get(key)) {
      const isSound = known.holders > 0 || (await known.opening.then(isWhole, () => false));
      // It may have been closed, and another opened, in the meantime.
      if (open.get(key) !== known) continue;
      if (isSound) return known;
      // A server that has never answered lists no tools: it is tried again instead of missing for ever.
      void drop(key, known);
    }
    const shared: Shared = {
      opening: connect(servers, {
        ...{ clock, logger, env, canAsk, howToLogIn },
        ...(loginsOf === undefined ? {} : { logins: loginsOf(userId) }),
        ...withoutUndefined({ loginPage }),
      }),
      holders: 0,
      needed: new AbortController(),
    };
    open.set(key, shared);
    return shared;
  }

  return {
    async hold(servers, user) {
      const key = keyOf(servers, user.userId, user.canAsk);
      const shared = await connections(key, servers, user);
      shared.holders += 1;
      shared.needed.abort();
      let isHeld = true;
      const release = (): void => {
        if (!isHeld) return;
        isHeld = false;
        shared.holders -= 1;
        if (shared.holders === 0) void closeWhenIdle(key, shared);
      };
      try {
        return { tools: (await shared.opening).tools(), release };
      } catch (error) {
        release();
        void drop(key, shared);
        throw error;
      }
    },
    async close() {
      for (const [key, shared] of [...open]) {
        shared.needed.abort();
        void drop(key, shared);
      }
      await Promise.all(closing);
    },
  };
}

function isWhole(connections: McpConnections): boolean {
  return connections.status().every(({ status, tools }) => status !== "disconnected" || tools > 0);
}
