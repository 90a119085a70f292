/**
 * Renews the leases of this node's runs, all of them with one statement at a time, and detects lost leases and
 * cancellations. If it cannot renew them it gives them up before they expire. It reports; it ends no run itself.
 */
import type { Clock, Logger } from "@callboard/agent-sdk";
import type { StoreDb } from "../connections/database.js";
import type { HeldRun } from "../writing/heldRun.js";
import type { Ownership } from "../writing/startStatements.js";
import { renewLeases } from "./renewal.js";

export interface LeaseKeeperOptions {
  readonly db: StoreDb;
  readonly ownership: Ownership;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly held: () => readonly HeldRun[];
  readonly onLost: (runId: string) => void;
  readonly onCancelRequested: (runId: string) => void;
}

export interface LeaseKeeper {
  /** Renews now. Gives the runs that are lost. */
  renew(): Promise<readonly string[]>;
  stop(): void;
}

/** Which share of a lease a database may take to answer. */
const answerShare = 1 / 10;
/** The share of a lease without a renewal after which its runs are stopped: tools need time to end before other nodes resume the runs. */
const fenceShare = 2 / 3;

export function startLeaseKeeper(options: LeaseKeeperOptions): LeaseKeeper {
  const { db, ownership, clock, logger, held } = options;
  const stopping = new AbortController();
  /**
   * When the last renewal that was answered was sent, on the monotonic clock: the hour of a node may be set back while
   * its leases run out.
   */
  let renewedAt = clock.monotonic();

  async function renew(): Promise<readonly string[]> {
    // A run whose start is not stored yet has no row to renew: its lease starts with the row.
    const runs = held().filter(({ lastSeq }) => lastSeq > 0);
    if (runs.length === 0) return [];
    const rows = await renewLeases(db, ownership, runs);
    const kept = new Set(rows.map(({ id }) => id));
    for (const { id, isCancelAsked } of rows) if (isCancelAsked) options.onCancelRequested(id);
    const lost = await lostOf(runs.filter(({ runId }) => !kept.has(runId)));
    for (const runId of lost) options.onLost(runId);
    return lost;
  }

  /** A run that closed or was parked in its own epoch, or was released meanwhile, is no longer kept, but not lost. */
  async function lostOf(missing: readonly HeldRun[]): Promise<readonly string[]> {
    if (missing.length === 0) return [];
    const ids = missing.map(({ runId }) => runId);
    const rows = await db
      .selectFrom("cx_run")
      .select(["id", "epoch", "status", "parked_at"])
      .where("id", "in", ids)
      .execute();
    const found = new Map(rows.map((row) => [row.id, row]));
    const isOwnEnd = ({ runId, epoch }: HeldRun): boolean => {
      const row = found.get(runId);
      return row?.epoch === epoch && (row.status === "closed" || row.parked_at !== null);
    };
    const still = new Set(held());
    return missing.filter((run) => still.has(run) && !isOwnEnd(run)).map(({ runId }) => runId);
  }

  /** Undefined once renewed; otherwise the reason. A database that does not answer counts as a failure. */
  async function problemOfRenewing(at: number): Promise<unknown> {
    const answered = new AbortController();
    const late = clock
      .sleep(ownership.leaseMs * answerShare, answered.signal)
      .then(() => new Error("The database did not answer in time."));
    const renewed = renew().then(
      () => {
        // Also when it was given up: an answer that comes late is an answer.
        renewedAt = Math.max(renewedAt, at);
      },
      (error: unknown) => error,
    );
    try {
      return await Promise.race([renewed, late]);
    } finally {
      answered.abort();
    }
  }

  /** Nothing more of these runs is done here: their leases are about to end, and others take them over. */
  function fence(): void {
    for (const { runId } of held()) {
      logger.error("Renewing the lease of a run failed; stopping the run on this node.", {
        runId,
      });
      options.onLost(runId);
    }
  }

  async function keep(): Promise<void> {
    let pause = ownership.leaseMs / 3;
    for (;;) {
      await clock.sleep(pause, stopping.signal);
      if (stopping.signal.aborted) return;
      const problem = await problemOfRenewing(clock.monotonic());
      if (stopping.signal.aborted) return;
      if (problem === undefined) {
        pause = ownership.leaseMs / 3;
        continue;
      }
      // Sooner: a database that was away must not come back to leases that have ended meanwhile.
      pause = ownership.leaseMs / 30;
      logger.warn("Renewing the leases of this node's runs failed; retrying.", { error: problem });
      if (clock.monotonic() - renewedAt >= ownership.leaseMs * fenceShare) fence();
    }
  }

  void keep();
  return { renew, stop: () => stopping.abort() };
}
