/**
 * Runs without a living owner: found, taken over and closed, or kept open for a node that resumes them. A run that
 * cannot be taken over is logged and skipped; it never stops the others.
 */
import type { Clock, Logger } from "@callboard/agent-sdk";
import type { OpenSessionOptions } from "@callboard/agent-sdk/sessions";
import { type RunId, runId as runIdOf } from "@callboard/run-log";
import { sql } from "kysely";
import type { Database } from "../connections/database.js";
import type { Feed } from "../live/feed.js";
import type { RunLogs } from "../writing/runLogs.js";
import { leaseEnd, type Ownership } from "../writing/startStatements.js";
import {
  LostTakeoverError,
  OrphanError,
  type OrphanFilter,
  type TakenRun,
  takeNextOrphan,
} from "./takeover.js";

export interface RecoveredRun {
  readonly runId: RunId;
  readonly conversationId: string;
  readonly userId: string;
  /** Open: its running calls are closed, this node owns it, and must resume or release it. */
  readonly status: "open" | "parked" | "closed";
  /** The epoch in which this node owns it; every takeover starts another. */
  readonly epoch: number;
  /** How many closings were appended. */
  readonly closings: number;
}

/** A run that waits for an answer, and its user. */
export interface ParkedRun {
  /** It must be cancelled: its node was asked when it released the run. */
  readonly isCancelAsked: boolean;
  readonly runId: string;
  readonly conversationId: string;
  readonly userId: string;
}

/** A run that has ended, and whose waiting messages start another one, by its log. */
export type CarryingRun = Omit<ParkedRun, "isCancelAsked">;

export interface Recovery {
  /** At most `limit` such runs whose node did not start the next one in time; no other node gets them for the time of a lease. */
  claimCarrying(options: { readonly limit: number }): Promise<readonly CarryingRun[]>;
  /** The messages have another run: nothing is left to start. */
  settleCarrying(runId: string): Promise<void>;
  /** At most `limit` parked runs with an expired question or a cancellation. They belong to no node. */
  dueRuns(options: { readonly limit: number }): Promise<readonly ParkedRun[]>;
  /** Takes over at most `limit` orphaned runs. */
  claimOrphans(options: { readonly limit: number }): Promise<readonly RecoveredRun[]>;
  findParked(runId: string): Promise<ParkedRun | undefined>;
  recoverConversation(conversationId: string, options: OpenSessionOptions): Promise<void>;
  /** Gives free what this node owns of a conversation. */
  releaseConversation(conversationId: string): Promise<void>;
  /** The same for a conversation that could not be opened: if the database cannot be reached, the leases expire. */
  abandonConversation(conversationId: string): Promise<void>;
  releaseRuns(runIds: readonly string[]): Promise<void>;
  /** For a database that no other process can have open: the previous owners have ended. */
  releaseEverything(): Promise<void>;
}

export interface RecoveryOptions {
  readonly database: Database;
  readonly ownership: Ownership;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly logs: RunLogs;
  readonly feed: Feed;
}

export function createRecovery(options: RecoveryOptions): Recovery {
  const { database, ownership, clock, logger, logs, feed } = options;
  const takeover = {
    ...{ database, ownership, now: clock.now, monotonic: clock.monotonic },
    positionsOf: logs.positionsOf,
  };

  /** Each in a transaction of its own: what was done stays done, whatever comes after. */
  async function recover(
    limit: number,
    filter: Omit<OrphanFilter, "except">,
  ): Promise<readonly RecoveredRun[]> {
    const recovered: RecoveredRun[] = [];
    const seen = new Set<string>();
    while (recovered.length < limit) {
      const except = [...seen, ...logs.held().map(({ runId }) => runId)];
      const taken = await takeNextOrphan(takeover, { ...filter, except }).catch(
        (error: unknown) => {
          if (error instanceof LostTakeoverError) {
            const { runId } = error;
            logger.info("Another node took over the run while this node did.", { runId });
            return error;
          }
          if (error instanceof OrphanError) {
            logger.error("Taking over a run whose node stopped responding failed.", { error });
            return error;
          }
          // The taken runs belong to this node: the caller must get them, or they are never resumed.
          if (recovered.length === 0) throw error;
          logger.warn("The search for orphaned runs broke off; the rest is left to the next one.", {
            error,
          });
          return undefined;
        },
      );
      if (taken === undefined) break;
      if (taken instanceof OrphanError) {
        seen.add(taken.runId);
        continue;
      }
      recovered.push(told(taken));
    }
    return recovered;
  }

  function told({ held, closings, status }: TakenRun): RecoveredRun {
    const { conversationId, userId, epoch } = held;
    const runId = runIdOf(held.runId);
    if (status === "open") logs.hold(held);
    feed.tell(runId, closings);
    if (status === "parked") feed.disowned(runId);
    const fields = { runId, conversationId, closings: closings.length };
    logger.info("Took over a run; closed what its previous node left open as interrupted.", fields);
    return { runId, conversationId, userId, status, epoch, closings: closings.length };
  }

  async function releaseRuns(runIds: readonly string[]): Promise<void> {
    if (runIds.length === 0) return;
    for (const runId of runIds) logs.drop(runId);
    await sql`
      update cx_run set owner = null, lease_until = null
      where id = any (${runIds}::uuid[]) and owner = ${ownership.owner} and status = 'open'
    `.execute(database.db);
  }

  async function releaseConversation(conversationId: string): Promise<void> {
    const held = logs.held().filter((run) => run.conversationId === conversationId);
    await releaseRuns(held.map(({ runId }) => runId));
  }

  return {
    async claimCarrying({ limit }) {
      const { rows } = await sql<CarryingRun>`
        update cx_run set carry_at = ${leaseEnd(ownership.leaseMs)}
        where id in (
          select id from cx_run where carry_at < clock_timestamp() and status = 'closed'
          order by carry_at limit ${limit} for update skip locked
        )
        returning id as "runId", conversation_id as "conversationId", user_id as "userId"
      `.execute(database.db);
      return rows;
    },
    async settleCarrying(runId) {
      await sql`update cx_run set carry_at = null where id = ${runId}`.execute(database.db);
    },
    async dueRuns({ limit }) {
      const { rows } = await sql<ParkedRun>`
        select id as "runId", conversation_id as "conversationId", user_id as "userId",
          cancel_requested_at is not null as "isCancelAsked"
        from cx_run
        where waits_until < clock_timestamp()
          or parked_at is not null and cancel_requested_at is not null
        limit ${limit}
      `.execute(database.db);
      return rows;
    },
    async findParked(runId) {
      const { rows } = await sql<ParkedRun>`
        select id as "runId", conversation_id as "conversationId", user_id as "userId",
          cancel_requested_at is not null as "isCancelAsked"
        from cx_run
        where id = ${runId} and parked_at is not null
      `.execute(database.db);
      return rows[0];
    },
    claimOrphans: ({ limit }) => recover(limit, {}),
    async recoverConversation(conversationId, { keepRunsOpen = false }) {
      await recover(Number.POSITIVE_INFINITY, { conversationId, keepRunsOpen });
    },
    releaseConversation,
    async abandonConversation(conversationId) {
      try {
        await releaseConversation(conversationId);
      } catch (error) {
        const fields = { conversationId, error };
        logger.warn("Releasing the runs of a conversation failed; their leases expire.", fields);
      }
    },
    releaseRuns,
    async releaseEverything() {
      await sql`
        update cx_run set owner = null, lease_until = null where status = 'open' and owner is not null
      `.execute(database.db);
    },
  };
}
