/**
 * Takes a run over from a node that stopped: its epoch grows, which fences the old owner, and its running calls are
 * closed as interrupted, all in one transaction. A run that then only waits for an answer is parked. Followers of the
 * run are notified.
 */

import { interruptionOf } from "@callboard/agent-sdk/sessions";
import { evolve, initialState, type RunEvent } from "@callboard/run-log";
import { messageOfError } from "@callboard/run-log/values";
import { sql } from "kysely";
import type { Database, StoreTransaction } from "../connections/database.js";
import { isTransientError } from "../connections/transientErrors.js";
import { FencedError } from "../errors.js";
import { readEvents } from "../reading/runEvents.js";
import { type HeldRun, nextBatch } from "../writing/heldRun.js";
import type { Positions } from "../writing/positions.js";
import { createRowsFold, type Parked } from "../writing/runFold.js";
import { leaseEnd, type Ownership } from "../writing/startStatements.js";
import { writeIn } from "../writing/writeBatches.js";
import { runInTime } from "./renewal.js";

export interface TakeoverOptions {
  readonly database: Database;
  readonly ownership: Ownership;
  readonly now: () => number;
  readonly monotonic: () => number;
  /** See `RunLogs.positionsOf`. */
  readonly positionsOf: (conversationId: string, next: number) => Positions;
}

interface ClaimedRow {
  readonly id: string;
  readonly conversation_id: string;
  readonly user_id: string;
  readonly epoch: number;
  readonly last_seq: number;
  readonly is_resumable: boolean;
}

export interface TakenRun {
  readonly held: HeldRun;
  /** The appended events: the closings of what the stopped node left open. */
  readonly closings: readonly RunEvent[];
  /** `open`: this node has it now. */
  readonly status: "open" | "parked" | "closed";
}

/** A run without a living owner could not be taken over. Nothing of it was changed. */
export class OrphanError extends Error {
  override readonly name = "OrphanError";
  readonly runId: string;

  constructor(runId: string, cause: unknown) {
    const why = messageOfError(cause);
    super(`run ${runId} could not be taken over: ${why}`, { cause });
    this.runId = runId;
  }
}

/** A run that this node took over was taken from it again before the takeover was answered. It is another node's now. */
export class LostTakeoverError extends OrphanError {}

/** The selected runs without a living owner. */
export interface OrphanFilter {
  readonly conversationId?: string;
  /** Runs that are left alone: this node's own, and those that could not be taken over before. */
  readonly except: readonly string[];
  /** Whether runs stay open whose calls are closed; by default those that are marked resumable. */
  readonly keepRunsOpen?: boolean;
}

/** Takes over the next orphan, the one that started last; undefined if there is none. */
export async function takeNextOrphan(
  options: TakeoverOptions,
  filter: OrphanFilter,
): Promise<TakenRun | undefined> {
  const { database } = options;
  const since = options.monotonic();
  const taken = await database.db.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ id: string }>`
      select id from cx_run
      where status = 'open' and parked_at is null and ${isLeft} and id <> all (${filter.except}::uuid[]) and ${isMeant(options, filter)}
      order by created_at desc limit 1
      for update skip locked
    `.execute(transaction);
    const [orphan] = rows;
    if (!orphan) return undefined;
    try {
      return await settleTakeover(transaction, options, orphan.id, filter);
    } catch (error) {
      if (isTransientError(error)) throw error;
      throw new OrphanError(orphan.id, error);
    }
  });
  if (taken?.status !== "open") return taken;
  try {
    await inTime(options, taken.held, since);
    return taken;
  } catch (error) {
    if (isTransientError(error)) throw error;
    const { runId } = taken.held;
    throw error instanceof FencedError
      ? new LostTakeoverError(runId, error)
      : new OrphanError(runId, error);
  }
}

function inTime(options: TakeoverOptions, held: HeldRun, since: number): Promise<void> {
  const { database, ownership, monotonic } = options;
  return runInTime({ db: database.db, ownership, monotonic }, held, since);
}

/**
 * In general only runs without an owner. In a conversation that this node has exclusively also its own released runs:
 * those whose writing failed, which are never resumed.
 */
function isMeant({ ownership }: TakeoverOptions, { conversationId }: OrphanFilter) {
  if (conversationId === undefined) return isFree;
  return sql<boolean>`conversation_id = ${conversationId} and (${isFree} or owner = ${ownership.owner})`;
}

/** Whether the run does not wait for a program that sends its events. */
const isLeft = sql<boolean>`(source_until is null or source_until < clock_timestamp())`;

const isFree = sql<boolean>`(lease_until is null or lease_until < clock_timestamp())`;

async function settleTakeover(
  transaction: StoreTransaction,
  options: TakeoverOptions,
  runId: string,
  filter: OrphanFilter,
): Promise<TakenRun> {
  const { held, row, past } = await claimed(transaction, options, runId);
  // The last sign of the run: the time since then does not count.
  const at = past.at(-1)?.at ?? options.now();
  const keepRunsOpen = filter.keepRunsOpen ?? row.is_resumable;
  const closings = interruptionOf(past.reduce(evolve, initialState), at, { keepRunsOpen });
  if (closings.length > 0) {
    const batch = nextBatch(held, closings, undefined);
    await writeIn(transaction, options.ownership, [batch]);
    held.lastSeq += closings.length;
  }
  if (closings.at(-1)?.type === "run.closed") return { held, closings, status: "closed" };
  const { parked } = held.fold;
  if (parked === undefined) return { held, closings, status: "open" };
  if (closings.length === 0) await park(transaction, runId, parked);
  return { held, closings, status: "parked" };
}

/** For a run whose last owner took it over and stopped before it wrote that. */
async function park(db: StoreTransaction, runId: string, { at, until }: Parked): Promise<void> {
  await sql`
    update cx_run set owner = null, lease_until = null,
      parked_at = to_timestamp(${at / 1000}::float8),
      waits_until = to_timestamp(${until === undefined ? null : until / 1000}::float8)
    where id = ${runId}
  `.execute(db);
}

/** Takes over one run unchanged, for a writer that resumes it. */
export async function claimRun(options: TakeoverOptions, runId: string): Promise<HeldRun> {
  const since = options.monotonic();
  const held = await options.database.db
    .transaction()
    .execute(async (transaction) => (await claimed(transaction, options, runId)).held);
  await inTime(options, held, since);
  return held;
}

async function claimed(
  db: StoreTransaction,
  options: TakeoverOptions,
  runId: string,
): Promise<{ held: HeldRun; row: ClaimedRow; past: readonly RunEvent[] }> {
  const { owner, leaseMs } = options.ownership;
  const { rows } = await sql<ClaimedRow>`
    update cx_run set owner = ${owner}, epoch = epoch + 1, lease_until = ${leaseEnd(leaseMs)},
      parked_at = null, waits_until = null
    where id = ${runId} and status = 'open' and (${isFree} or owner = ${owner})
    returning id, conversation_id, user_id, epoch, last_seq, is_resumable
  `.execute(db);
  const [row] = rows;
  if (!row) throw new FencedError(runId, "another node owns it, or it has ended");
  const past = await readEvents(db, runId, { after: 0 });
  const { conversation_id: conversationId, user_id: userId, epoch } = row;
  const placed = await positionsIn(db, conversationId);
  const positions = options.positionsOf(conversationId, Math.max(-1, ...placed.values()) + 1);
  const fold = createRowsFold({ runId, conversationId, userId, positions, placed });
  fold.fold(past);
  return { held: { runId, conversationId, userId, epoch, fold, lastSeq: row.last_seq }, row, past };
}

async function positionsIn(
  db: StoreTransaction,
  conversationId: string,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom("cx_message")
    .select(["id", "position"])
    .where("conversation_id", "=", conversationId)
    .execute();
  return new Map(rows.map(({ id, position }) => [id, position]));
}
