/**
 * Batches of many runs in few transactions: batches that arrive while one is running go together into the next. A batch
 * is written once or its writer gets the reason; a connection that breaks in between is not a result, so the database is
 * queried before any retry.
 */
import type { Clock, Logger } from "@callboard/agent-sdk";
import { sql } from "kysely";
import type { Database } from "../connections/database.js";
import { isDiskFull, isTransientError } from "../connections/transientErrors.js";
import { FencedError, StoreFullError, StoreUnreachableError } from "../errors.js";
import { lastSeqOf, losesOwner, type RunBatch } from "./runBatch.js";
import type { Ownership } from "./startStatements.js";
import { RunsNotMovedError, writeBatches } from "./writeBatches.js";

export interface GroupCommitOptions {
  readonly database: Database;
  readonly ownership: Ownership;
  readonly clock: Clock;
  readonly logger: Logger;
  /** For how long a server that went away is waited for. */
  readonly databaseRetryMs: number;
}

export interface GroupCommit {
  /** Resolves when the batch is stored. One batch of a run at a time. */
  write(batch: RunBatch): Promise<void>;
  /** Resolves when nothing waits. */
  idle(): Promise<void>;
  /** Throws if the disk was full a moment ago. */
  assertRoom(): void;
}

interface Waiting {
  readonly batch: RunBatch;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** A group holds at least one batch, and no more once it has this many events. */
const groupEvents = 4_000;
const firstPauseMs = 50;
const longestPauseMs = 1_000;
/** For how long a full disk is remembered: afterwards the next write tries again. */
const fullMs = 10_000;

export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { database, ownership, clock, logger, databaseRetryMs } = options;
  let queue: Waiting[] = [];
  let pumping: Promise<void> | undefined;
  let full: { readonly error: StoreFullError; readonly until: number } | undefined;

  async function pump(): Promise<void> {
    while (queue.length > 0) {
      const group = nextGroup();
      await settle(group, false);
    }
  }

  function nextGroup(): readonly Waiting[] {
    let events = 0;
    const more = queue.findIndex((one) => {
      const isFull = events >= groupEvents;
      events += one.batch.events.length;
      return isFull;
    });
    const group = more === -1 ? queue : queue.slice(0, more);
    queue = more === -1 ? [] : queue.slice(more);
    return group;
  }

  /** `isTried`: it may be that some of it is written already. */
  async function settle(group: readonly Waiting[], isTried: boolean): Promise<void> {
    const since = clock.monotonic();
    let left = group;
    let isUnsure = isTried;
    for (let pause = firstPauseMs; ; pause = Math.min(2 * pause, longestPauseMs)) {
      try {
        if (isUnsure) left = await unwritten(left);
        if (left.length === 0) return;
        await writeBatches(
          database,
          ownership,
          left.map(({ batch }) => batch),
        );
        full = undefined;
        for (const { resolve } of left) resolve();
        return;
      } catch (error) {
        if (isDiskFull(error)) return refuseFull(left, error);
        if (!isTransientError(error)) return await settleApart(left, error);
        if (clock.monotonic() - since >= databaseRetryMs) return refuseAll(left, error);
        logger.warn("Writing to the database failed; retrying.", { error });
        isUnsure = true;
        await clock.sleep(pause);
      }
    }
  }

  /** One batch that cannot be written must not take the others with it. */
  async function settleApart(group: readonly Waiting[], error: unknown): Promise<void> {
    const [only, ...others] = group;
    if (only && others.length === 0) {
      const { batch, reject } = only;
      return reject(error instanceof RunsNotMovedError ? new FencedError(batch.runId) : error);
    }
    for (const one of group) await settle([one], true);
  }

  function refuseFull(group: readonly Waiting[], error: unknown): void {
    const refusal = new StoreFullError(error);
    full = { error: refusal, until: clock.monotonic() + fullMs };
    for (const { reject } of group) reject(refusal);
  }

  function refuseAll(group: readonly Waiting[], error: unknown): void {
    const refusal = new StoreUnreachableError(databaseRetryMs / 1_000, error);
    for (const { reject } of group) reject(refusal);
  }

  /** The connection broke: what of the group is in the database already? */
  async function unwritten(group: readonly Waiting[]): Promise<readonly Waiting[]> {
    const heads = await runHeads(
      database,
      group.map(({ batch }) => batch.runId),
    );
    return group.filter(({ batch, resolve }) => {
      const head = heads.get(batch.runId);
      const isWritten = head !== undefined && isOf(batch, head);
      if (isWritten) resolve();
      return !isWritten;
    });
  }

  /** A rival that starts the same run has the same epoch and as many events: only the owner distinguishes them. */
  function isOf(batch: RunBatch, { epoch, last_seq, owner }: RunHead): boolean {
    const isOwn = owner === ownership.owner || (owner === null && losesOwner(batch));
    return isOwn && epoch === batch.epoch && last_seq === lastSeqOf(batch);
  }

  return {
    write(batch) {
      return new Promise((resolve, reject) => {
        queue.push({ batch, resolve, reject });
        pumping ??= pump().finally(() => {
          pumping = undefined;
        });
      });
    },
    assertRoom() {
      if (full && clock.monotonic() < full.until) throw full.error;
    },
    async idle() {
      while (pumping !== undefined) await pumping;
    },
  };
}

interface RunHead {
  readonly id: string;
  readonly epoch: number;
  readonly last_seq: number;
  /** Null for a run that is closed or parked. */
  readonly owner: string | null;
}

async function runHeads(
  { db }: Database,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, RunHead>> {
  const { rows } = await sql<RunHead>`
    select id, epoch, last_seq, owner from cx_run where id = any (${runIds}::uuid[])
  `.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}
