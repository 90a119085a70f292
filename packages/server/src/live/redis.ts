/**
 * The connections to Redis: one for commands, one that listens. Several addresses are a cluster; what
 * belongs to one run has one hash tag, so that a cluster keeps it together. While Redis is away nothing
 * waits for it: a command fails at once and PostgreSQL is asked instead.
 */
import type { Logger } from "@callboard/agent-sdk";
import { Cluster, Redis } from "ioredis";

export interface RedisConnection {
  readonly commands: Redis | Cluster;
  /** Calls back with every message of a channel; resolves when it is listened to. */
  listen(channel: string, onMessage: (message: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export async function connectRedis(url: string, logger: Logger): Promise<RedisConnection> {
  const addresses = url.split(",").map((address) => address.trim());
  const connect = (): Redis | Cluster => {
    const client = createClient(addresses);
    // Told once for each outage: a client that tries again says so for each attempt.
    let isTold = false;
    client.on("error", (error: Error) => {
      if (!isTold) logger.warn("Redis does not answer; PostgreSQL is asked instead", { error });
      isTold = true;
    });
    client.on("ready", () => {
      isTold = false;
    });
    return client;
  };
  const commands = connect();
  const listening = connect();
  const listeners = new Map<string, Set<(message: string) => void>>();
  listening.on("message", (channel: string, message: string) => {
    for (const listener of listeners.get(channel) ?? []) listener(message);
  });
  await commands.ping();

  return {
    commands,
    async listen(channel, onMessage) {
      const known = listeners.get(channel);
      const own = known ?? new Set();
      own.add(onMessage);
      listeners.set(channel, own);
      if (!known) await listening.subscribe(channel);
      return async () => {
        own.delete(onMessage);
        if (own.size > 0 || listeners.get(channel) !== own) return;
        listeners.delete(channel);
        try {
          await listening.unsubscribe(channel);
        } catch (error) {
          // It is away: there is nothing left to leave.
          logger.debug("a channel of Redis could not be left", { channel, error });
        }
      };
    },
    async close() {
      commands.disconnect();
      listening.disconnect();
    },
  };
}

function createClient(addresses: readonly string[]): Redis | Cluster {
  const options = { maxRetriesPerRequest: 1, enableOfflineQueue: true, connectTimeout: 5_000 };
  const [only = ""] = addresses;
  if (addresses.length === 1 && !only.startsWith("cluster:")) {
    return new Redis(only, { ...options, lazyConnect: false });
  }
  const nodes = addresses.map((address) => {
    const { hostname: host, port } = new URL(address.replace(/^cluster:/, "redis:"));
    return { host, port: Number(port || 6_379) };
  });
  return new Cluster(nodes, { redisOptions: options });
}
