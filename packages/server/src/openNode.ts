/**
 * The dependencies of a server: its database, and its notifications from other nodes. Alone there are none; with
 * PostgreSQL nodes notify each other; with Redis in addition, events and messages go through Redis.
 */

import { join } from "node:path";
import type { Clock, Logger } from "@callboard/agent-sdk";
import { messageOfError, withoutUndefined } from "@callboard/run-log/values";
import { openStore, type Store } from "@callboard/store";
import { ServerConfigurationError } from "./configurationError.js";
import { createFallbackWire } from "./live/fallbackWire.js";
import { createNodeBus, type NodeBus, type Wire } from "./live/nodeBus.js";
import { connectPostgres } from "./live/postgresWire.js";
import { connectRedis, type RedisConnection } from "./live/redis.js";
import { createRedisEvents } from "./live/redisEvents.js";
import { createRedisNotifications } from "./live/redisNotifications.js";
import { connectRedisWire } from "./live/redisWire.js";
import { retentionFrom, type ServerOptions } from "./settings.js";
import { createDatabaseRunStore } from "./stores/databaseRunStore.js";
import type { RunStore } from "./stores/runStore.js";

export interface Node {
  readonly store: Store;
  readonly runs: RunStore;
  readonly bus: NodeBus;
  close(): Promise<void>;
}

type NodeOptions = Pick<
  ServerOptions,
  "store" | "databaseUrl" | "redisUrl" | "leaseMs" | "migrates" | "retention"
> & {
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly logger: Logger;
};

export async function openNode(options: NodeOptions): Promise<Node> {
  const redisUrl = options.redisUrl ?? options.env.REDIS_URL;
  const redis = redisUrl ? await connected(redisUrl, options.logger) : undefined;
  let store: Store | undefined;
  try {
    store = options.store ?? (await openedStore(options, redis));
    return redis ? await withRedis(store, redis, options) : await withDatabase(store, options);
  } catch (error) {
    await redis?.close();
    await store?.close();
    throw error;
  }
}

function openedStore(options: NodeOptions, redis: RedisConnection | undefined): Promise<Store> {
  const { clock, logger, leaseMs, env } = options;
  const url = options.databaseUrl ?? env.DATABASE_URL;
  const migrates = options.migrates ?? env.CALLBOARD_MIGRATE === "true";
  return openStore(url ? { url } : { folder: join(options.home, "database") }, {
    clock,
    logger,
    migrates: migrates || "alone",
    retention: options.retention ?? retentionFrom(env),
    ...withoutUndefined({ leaseMs }),
    ...(redis === undefined
      ? {}
      : {
          notificationSource: (sealing) =>
            createRedisNotifications(createRedisEvents(redis, sealing), redis, logger),
        }),
  });
}

async function withDatabase(store: Store, { clock, logger }: NodeOptions): Promise<Node> {
  const { nodeId, sealing, database } = store;
  const connect = (receive: (text: string) => void) =>
    connectPostgres({ database, clock, logger }, receive);
  const wire = store.kind === "embedded" ? {} : { others: { sealing, connect } };
  const bus = await createNodeBus({ nodeId, logger, ...wire });
  return {
    store,
    runs: createDatabaseRunStore(store),
    bus,
    async close() {
      await bus.close();
      await store.close();
    },
  };
}

async function withRedis(
  store: Store,
  redis: RedisConnection,
  { clock, logger }: NodeOptions,
): Promise<Node> {
  const { nodeId, sealing, database } = store;
  async function connect(receive: (text: string) => void): Promise<Wire> {
    const wire = await connectRedisWire(redis, receive);
    if (store.kind === "embedded") return wire;
    const second = await connectPostgres({ database, clock, logger }, receive);
    return createFallbackWire(wire, second, logger);
  }
  const bus = await createNodeBus({ nodeId, logger, others: { sealing, connect } });
  return {
    store,
    runs: createDatabaseRunStore(store),
    bus,
    async close() {
      await bus.close();
      await store.close();
      await redis.close();
    },
  };
}

async function connected(url: string, logger: Logger): Promise<RedisConnection> {
  try {
    return await connectRedis(url, logger);
  } catch (error) {
    const why = messageOfError(error);
    throw new ServerConfigurationError(
      `Cannot connect to Redis at REDIS_URL (${why}). Start Redis, correct the address, or unset REDIS_URL.`,
      { cause: error },
    );
  }
}
