/**
 * The connections to Redis: one for commands, one that listens. Several addresses are a cluster; the keys of one run
 * have one hash tag, so that a cluster keeps them together. While Redis is unreachable nothing waits for it: a command
 * fails at once and PostgreSQL is queried instead.
 */
import type { Logger } from "@callboard/agent-sdk";
import { Cluster, Redis } from "ioredis";

export interface RedisConnection {
  readonly commands: Redis | Cluster;
  /** Whether commands are answered now. */
  isReady(): boolean;
  /** Calls back with every message of a channel; resolves when it is listened to. */
  listen(channel: string, onMessage: (message: string) => void): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

export async function connectRedis(url: string, logger: Logger): Promise<RedisConnection> {
  const addresses = url.split(",").map((address) => address.trim());
  const connect = (): Redis | Cluster => {
    const client = createClient(addresses);
    // Logged once for each outage: a reconnecting client reports each attempt.
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
  await commands.ping();

  return {
    commands,
    isReady: () => commands.status === "ready",
    listen: createListening(listening, logger),
    async close() {
      commands.disconnect();
      listening.disconnect();
    },
  };
}

/** The methods of a client that listening needs. */
interface Subscriber {
  subscribe(channel: string): Promise<unknown>;
  unsubscribe(channel: string): Promise<unknown>;
  on(event: "message", listener: (channel: string, message: string) => void): unknown;
}

/** Each channel is subscribed once, for all listeners; if that fails, the next one tries again. */
export function createListening(client: Subscriber, logger: Logger): RedisConnection["listen"] {
  const channels = new Map<string, Listened>();
  client.on("message", (channel, message) => {
    for (const listener of channels.get(channel)?.listeners ?? []) listener(message);
  });
  return async (channel, onMessage) => {
    const known = channels.get(channel);
    const own = known ?? { listeners: new Set(), subscribed: client.subscribe(channel) };
    own.listeners.add(onMessage);
    channels.set(channel, own);
    try {
      await own.subscribed;
    } catch (error) {
      if (channels.get(channel) === own) channels.delete(channel);
      throw error;
    }
    return async () => {
      own.listeners.delete(onMessage);
      if (own.listeners.size > 0 || channels.get(channel) !== own) return;
      channels.delete(channel);
      try {
        await client.unsubscribe(channel);
      } catch (error) {
        // It is away: there is nothing left to leave.
        logger.debug("Unsubscribing from a Redis channel failed.", { channel, error });
      }
    };
  };
}

interface Listened {
  readonly listeners: Set<(message: string) => void>;
  readonly subscribed: Promise<unknown>;
}

const options = { maxRetriesPerRequest: 1, enableOfflineQueue: true, connectTimeout: 5_000 };

function createClient(addresses: readonly string[]): Redis | Cluster {
  const [only = ""] = addresses;
  if (addresses.length === 1 && !/^clusters?:/.test(only)) {
    return new Redis(only, { ...options, lazyConnect: false });
  }
  const { nodes, ...setup } = clusterOf(addresses);
  return new Cluster([...nodes], setup);
}

/** A cluster's addresses; user, password and TLS are those of the first address that names them. */
export function clusterOf(addresses: readonly string[]) {
  const urls = addresses.map(
    (address) => new URL(address.replace(/^clusters:/, "rediss:").replace(/^cluster:/, "redis:")),
  );
  const { username = "", password = "" } = urls.find((url) => url.password !== "") ?? {};
  const isSecret = urls.some(({ protocol }) => protocol === "rediss:");
  return {
    nodes: urls.map(({ hostname: host, port }) => ({ host, port: Number(port || 6_379) })),
    redisOptions: {
      ...options,
      ...(username === "" ? {} : { username: decodeURIComponent(username) }),
      ...(password === "" ? {} : { password: decodeURIComponent(password) }),
      ...(isSecret ? { tls: {} } : {}),
    },
    // A certificate is for a name: it is not looked up before.
    ...(isSecret ? { dnsLookup: asNamed } : {}),
  };
}

function asNamed(name: string, found: (error: null, address: string) => void): void {
  found(null, name);
}
