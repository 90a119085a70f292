/**
 * What other nodes write, for followers here: notifications, and as a safety net periodic polling of the followed runs,
 * since a notification can be lost. An embedded database has no other nodes.
 */
import type { Clock, Logger } from "@callboard/agent-sdk";
import { runId as runIdOf } from "@callboard/run-log";
import type { Database, Listening } from "../connections/database.js";
import type { Feed } from "./feed.js";
import { checkNotifications } from "./notificationCheck.js";
import { type NotificationPayloads, notificationChannel } from "./notificationPayload.js";

export interface NodeNotificationsOptions {
  readonly database: Database;
  readonly feed: Feed;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly pollMs: number;
  readonly payloads: NotificationPayloads | undefined;
  readonly onCancelRequested: (runId: string) => void;
}

export interface NodeNotifications {
  /** Resolves when the first LISTEN is active. */
  readonly listening: Promise<void>;
  stop(): Promise<void>;
}

const pauseMs = 1_000;

export function startNodeNotifications(options: NodeNotificationsOptions): NodeNotifications {
  const { database, feed, clock, logger } = options;
  const { listen } = database;
  const stopping = new AbortController();
  if (!listen) return { listening: Promise.resolve(), stop: async () => {} };
  const first = deferred();

  function onPayload(payload: string): void {
    const news = options.payloads?.read(payload);
    for (const runId of news?.cancelled ?? []) options.onCancelRequested(runId);
    for (const [runId, lastSeq] of news?.moved ?? []) feed.hint(runIdOf(runId), lastSeq);
  }

  async function listenOn(start: NonNullable<Database["listen"]>): Promise<void> {
    while (!stopping.signal.aborted) {
      const lost = deferred();
      let listening: Listening | undefined;
      try {
        listening = await start({
          channel: notificationChannel,
          onPayload,
          onLost(error) {
            logger.warn("Lost the LISTEN connection to PostgreSQL; reconnecting.", { error });
            lost.resolve();
          },
        });
        first.resolve();
        feed.hintAll();
        stopping.signal.addEventListener("abort", lost.resolve, { once: true });
        if (!stopping.signal.aborted) await lost.promise;
      } catch (error) {
        logger.warn("Could not listen for notifications on PostgreSQL; retrying.", { error });
      } finally {
        await listening?.stop();
      }
      await clock.sleep(pauseMs, stopping.signal);
    }
    first.resolve();
  }

  async function poll(): Promise<void> {
    for (;;) {
      await clock.sleep(options.pollMs, stopping.signal);
      if (stopping.signal.aborted) return;
      try {
        await lookAtFollowed(database, feed);
      } catch (error) {
        logger.warn("Polling for new events of followed runs failed; retrying at the next poll.", {
          error,
        });
      }
    }
  }

  async function check(start: NonNullable<Database["listen"]>): Promise<void> {
    await first.promise;
    if (stopping.signal.aborted) return;
    const { db } = database;
    await checkNotifications({ db, listen: start, clock, logger, signal: stopping.signal });
  }

  const work = Promise.all([listenOn(listen), poll(), check(listen)]);
  return {
    listening: first.promise,
    async stop() {
      stopping.abort();
      await work;
    },
  };
}

async function lookAtFollowed({ db }: Database, feed: Feed): Promise<void> {
  const followed = feed.followed();
  if (followed.length === 0) return;
  const rows = await db
    .selectFrom("cx_run")
    .select(["id", "last_seq"])
    .where("id", "in", followed)
    .execute();
  for (const { id, last_seq } of rows) feed.hint(runIdOf(id), last_seq);
}

interface Deferred {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
}

function deferred(): Deferred {
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
