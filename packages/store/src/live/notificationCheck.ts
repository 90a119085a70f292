/**
 * Whether notifications of PostgreSQL arrive. A pooler in transaction mode accepts LISTEN and forwards nothing, without an
 * error: this node would learn of other nodes by polling alone, and could not be asked by them to answer or to stop a run.
 */
import { randomUUID } from "node:crypto";
import type { Clock, Logger } from "@callboard/agent-sdk";
import { sql } from "kysely";
import type { Database, StoreDb } from "../connections/database.js";

export interface NotificationCheck {
  readonly db: StoreDb;
  readonly listen: NonNullable<Database["listen"]>;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly signal: AbortSignal;
}

const waitMs = 10_000;

/** Sends one notification to itself, on a channel of its own, and logs a warning if it does not arrive. */
export async function checkNotifications(check: NotificationCheck): Promise<void> {
  const { db, listen, clock, logger, signal } = check;
  const channel = `callboard_check_${randomUUID().replaceAll("-", "")}`;
  const waiting = new AbortController();
  const arrived = (): void => waiting.abort("arrived");
  try {
    // A connection that is lost says nothing about notifications.
    const listening = await listen({ channel, onPayload: arrived, onLost: arrived });
    try {
      await sql`select pg_notify(${channel}, ${"check"})`.execute(db);
      await clock.sleep(waitMs, AbortSignal.any([waiting.signal, signal]));
    } finally {
      await listening.stop();
    }
  } catch (error) {
    logger.debug("Could not check whether notifications of PostgreSQL arrive.", { error });
    return;
  }
  if (waiting.signal.aborted || signal.aborted) return;
  logger.warn(
    "Notifications of PostgreSQL do not arrive; polling instead. DATABASE_URL probably leads through a pooler in transaction mode. " +
      "Several nodes need the address of the server itself or of a pooler in session mode.",
  );
}
