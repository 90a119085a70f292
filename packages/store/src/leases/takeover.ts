/**
 * Taking a run over from a node that is gone: its epoch grows, which fences the old owner, and what ran in it
 * is closed as interrupted, all in one transaction. A run that then only waits for somebody is parked. Whoever
 * follows the run is told.
 */
import { interruptionOf } from "@callboard/agent-sdk/sessions";
import { evolve, initialState, type RunEvent } from "@callboard/run-log";
import { sql } from "kysely";
import type { Database, StoreTransaction } from "../connections/database.js";
import { isTransientError } from "../connections/transientErrors.js";
import { FencedError } from "../errors.js";
import { readEvents } from "../reading/runEvents.js";
import { type HeldRun, nextBatch } from "../writing/heldRun.js";
import type { Positions } from "../writing/positions.js";
import { createRunFold, type Parked } from "../writing/runFold.js";
import { leaseEnd, type Ownership } from "../writing/startStatements.js";
import { writeIn } from "../writing/writeBatches.js";
import { leaseInTime, renewLeases } from "./renewal.js";

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
  /** What was appended: the closings of what the dead node left open. */
  readonly closings: readonly RunEvent[];
  /** `open`: this node has it now. */
  readonly status: "open" | "parked" | "closed";
}

/** A run that has no living owner could not be taken over. Nothing of it was changed. */
export class OrphanError extends Error {
  override readonly name = "OrphanError";
  readonly runId: string;

  constructor(runId: string, cause: unknown) {
    const why = cause instanceof Error ? cause.message : String(cause);
    super(`run ${runId} could not be taken over: ${why}`, { cause });
    this.runId = runId;
  }
}

/** Which runs without a living owner are meant. */
export interface OrphanFilter {
  readonly conversationId?: string;
  /** Runs that are left alone: this node's own, and those that could not be taken over before. */
  readonly except: readonly string[];
  /** Whether runs stay open whose calls are closed; those that are marked resumable where it is left out. */
  readonly keepRunsOpen?: boolean;
}

/** Takes over the next orphan, the one that began last; undefined when there is none. */
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
      return await settled(transaction, options, orphan.id, filter);
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
    throw new OrphanError(taken.held.runId, error);
  }
}

function inTime(options: TakeoverOptions, held: HeldRun, since: number): Promise<void> {
  const { database, ownership, monotonic } = options;
  return leaseInTime({
    ...{ runId: held.runId, leaseMs: ownership.leaseMs, since, monotonic },
    renew: async () => (await renewLeases(database.db, ownership, [held])).length > 0,
  });
}

/**
 * Anywhere only what nobody owns. In a conversation that this node has to itself also its own runs that it
 * let go of: those whose writing failed, which nobody goes on with.
 */
function isMeant({ ownership }: TakeoverOptions, { conversationId }: OrphanFilter) {
  if (conversationId === undefined) return isFree;
  return sql<boolean>`conversation_id = ${conversationId} and (${isFree} or owner = ${ownership.owner})`;
}

/** Whether nobody is waited for who sends the run's events. */
const isLeft = sql<boolean>`(source_until is null or source_until < clock_timestamp())`;

const isFree = sql<boolean>`(lease_until is null or lease_until < clock_timestamp())`;

async function settled(
  transaction: StoreTransaction,
  options: TakeoverOptions,
  runId: string,
  filter: OrphanFilter,
): Promise<TakenRun> {
  const { held, row, past } = await claimed(transaction, options, runId);
  // When the run was last heard of: the dead time since then is not its own.
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

/** For a run whose last owner took it up and died before it wrote so. */
async function park(db: StoreTransaction, runId: string, { at, until }: Parked): Promise<void> {
  await sql`
    update cx_run set owner = null, lease_until = null,
      parked_at = to_timestamp(${at / 1000}::float8),
      waits_until = to_timestamp(${until === undefined ? null : until / 1000}::float8)
    where id = ${runId}
  `.execute(db);
}

/** Takes over one run as it stands, for a writer who goes on with it. */
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
  const fold = createRunFold({ runId, conversationId, userId, positions, placed });
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
