/** Renewing leases: the statement, and the wait for a lease whose taking was answered late. */
import { sql } from "kysely";
import type { StoreDb } from "../connections/database.js";
import { FencedError } from "../errors.js";
import type { HeldRun } from "../writing/heldRun.js";
import { leaseEnd, type Ownership, sourceEnd } from "../writing/startStatements.js";

export interface RenewedRun {
  readonly id: string;
  readonly isCancelAsked: boolean;
}

/** Gives the runs whose lease lasts on: those that this node still owns in the same epoch. */
export async function renewLeases(
  db: StoreDb,
  ownership: Ownership,
  runs: readonly Pick<HeldRun, "runId" | "epoch">[],
): Promise<readonly RenewedRun[]> {
  const { rows } = await sql<RenewedRun>`
      update cx_run as run set lease_until = ${leaseEnd(ownership.leaseMs)},
        source_until = case when run.source_until is not null then ${sourceEnd} end
      from unnest(
        ${runs.map(({ runId }) => runId)}::uuid[], ${runs.map(({ epoch }) => epoch)}::bigint[]
      ) as mine (id, epoch)
      where run.id = mine.id and run.epoch = mine.epoch and run.owner = ${ownership.owner}
        and run.status = 'open'
      returning run.id, run.cancel_requested_at is not null as "isCancelAsked"
    `.execute(db);
  return rows;
}

export interface TakenLease {
  readonly runId: string;
  readonly leaseMs: number;
  /** When the statement that took the lease was sent, at the latest, by the monotonic clock. */
  readonly since: number;
  readonly monotonic: () => number;
  /** Whether the lease lasts on. */
  readonly renew: () => Promise<boolean>;
}

/**
 * A lease counts from the statement that took it, however late its answer comes. A late one is renewed before any
 * work is done under it: the next renewal might come after its end, and another node work on the run meanwhile.
 */
export async function leaseInTime(taken: TakenLease): Promise<void> {
  const { runId, leaseMs, monotonic, renew } = taken;
  for (let { since } = taken; monotonic() - since > leaseMs / 3; ) {
    since = monotonic();
    if (!(await renew())) {
      throw new FencedError(runId, "its lease expired while this node took over or started it");
    }
  }
}

export interface LeaseTaker {
  readonly db: StoreDb;
  readonly ownership: Ownership;
  readonly monotonic: () => number;
}

/** The same for a run that this node started, or took over, with a statement that was sent at `since`. */
export function runInTime(
  { db, ownership, monotonic }: LeaseTaker,
  run: Pick<HeldRun, "runId" | "epoch">,
  since: number,
): Promise<void> {
  return leaseInTime({
    ...{ runId: run.runId, leaseMs: ownership.leaseMs, since, monotonic },
    renew: async () => (await renewLeases(db, ownership, [run])).length > 0,
  });
}
