/**
 * Redis as the source of notifications between nodes: what this node stores is copied there and published; runs of other
 * nodes are received and read from there. The run never waits for Redis, nor fails with it.
 */
import type { Logger } from "@callboard/agent-sdk";
import type { NotificationSource } from "@callboard/store";
import type { RedisConnection } from "./redis.js";
import type { RedisEvents } from "./redisEvents.js";

export function createRedisNotifications(
  events: RedisEvents,
  connection: Pick<RedisConnection, "isReady">,
  logger: Logger,
): NotificationSource {
  return {
    isReached: () => connection.isReady(),
    stored(runId, appended) {
      events.publish(runId, appended).catch((error) => {
        logger.debug("Copying events to Redis failed.", { runId, error });
      });
    },
    follow: events.follow,
    read: events.read,
  };
}
