/** Purges in the background, now and then, for as long as a store is open. It logs what it does. */
import type { Clock, Logger } from "@callboard/agent-sdk";
import type { Database } from "../connections/database.js";
import { purge, type Retention } from "./purge.js";

export interface RetentionKeeperOptions {
  readonly database: Database;
  readonly retention: Retention;
  readonly onDeleted: (conversationIds: readonly string[]) => void;
  readonly clock: Clock;
  readonly logger: Logger;
}

export interface RetentionKeeper {
  /** Resolves when no deletion is running. */
  stop(): Promise<void>;
}

const everyMs = 60 * 60 * 1_000;

export function startRetentionKeeper(options: RetentionKeeperOptions): RetentionKeeper {
  const { database, retention, clock, logger } = options;
  const stopping = new AbortController();
  const { signal } = stopping;

  async function keep(): Promise<void> {
    while (!signal.aborted) {
      try {
        const done = await purge(database, {
          ...retention,
          now: clock.now(),
          signal,
          onDeleted: options.onDeleted,
          onProgress: (soFar, condemned) =>
            logger.info("Deleting old conversations.", { done: soFar, condemned }),
        });
        if (done.conversations > 0) logger.info("Deleted old conversations.", { ...done });
      } catch (error) {
        logger.warn("Deleting old conversations failed; retrying in an hour.", { error });
      }
      await clock.sleep(everyMs, signal);
    }
  }

  const isWanted = retention.maxAgeMs !== undefined || retention.maxBytes !== undefined;
  const work = isWanted ? keep() : Promise.resolve();
  return {
    async stop() {
      stopping.abort();
      await work;
    },
  };
}
