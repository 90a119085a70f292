/**
 * The one transaction that commits batches: runs started, events appended, rows written, other nodes notified. All of
 * them or none: a run that may not move rolls back the whole group.
 */
import type { Database, StoreDb, StoreTransaction } from "../connections/database.js";
import type { Moved } from "../live/notificationPayload.js";
import { appendEvents, appendWith, firstFreeParameter } from "./eventStatements.js";
import { isEmptyBatch, joinedBatches } from "./rowBatch.js";
import { rowParts } from "./rowStatements.js";
import { closingIn, lastSeqOf, type RunBatch } from "./runBatch.js";
import { beginRun, type Ownership, touchPart } from "./startStatements.js";

/** Some runs of the group may not move: not this node's, or not at the position that was expected. */
export class RunsNotMovedError extends Error {
  override readonly name = "RunsNotMovedError";

  constructor() {
    super("Some runs of the batch belong to another node or are at another position.");
  }
}

/** Throws a RunsNotMovedError when not all could be written; where only events were, some may be. */
export async function writeBatches(
  database: Database,
  ownership: Ownership,
  batches: readonly RunBatch[],
): Promise<void> {
  const { db } = database;
  // A statement is a transaction of its own: only the start of a run needs two.
  if (batches.every(isEventsOnly)) return await append(db, ownership, batches);
  if (batches.every(({ start }) => start === undefined)) return await write(db, ownership, batches);
  await db.transaction().execute((transaction) => writeIn(transaction, ownership, batches));
}

/** The same inside a transaction that does more: a takeover. */
export async function writeIn(
  db: StoreTransaction,
  ownership: Ownership,
  batches: readonly RunBatch[],
): Promise<void> {
  for (const batch of batches) {
    if (batch.start) await beginRun(db, ownership, batch, batch.start);
  }
  await write(db, ownership, batches);
}

async function write(db: StoreDb, ownership: Ownership, batches: readonly RunBatch[]) {
  const rows = rowParts(joinedBatches(batches.map((batch) => batch.rows)), firstFreeParameter);
  const touched = touchPart(batches, firstFreeParameter + rows.length);
  const parts = touched === undefined ? rows : [...rows, touched];
  try {
    await appendWith(db, ownership, batches, payloadsOf(ownership, batches), parts);
  } catch (error) {
    throw isNotMoved(error) ? new RunsNotMovedError() : error;
  }
}

async function append(
  db: StoreDb,
  ownership: Ownership,
  batches: readonly RunBatch[],
): Promise<void> {
  const moved = await appendEvents(db, ownership, batches, payloadsOf(ownership, batches));
  if (moved.size < batches.length) throw new RunsNotMovedError();
}

function payloadsOf({ news }: Ownership, batches: readonly RunBatch[]): readonly string[] {
  return news?.moved(batches.map((batch): Moved => [batch.runId, lastSeqOf(batch)])) ?? [];
}

/** The error that `cx_require_moved` raises. */
function isNotMoved(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "CX001";
}

function isEventsOnly(batch: RunBatch): boolean {
  const { start, title, rows } = batch;
  if (start !== undefined || title !== undefined) return false;
  return closingIn(batch) === undefined && isEmptyBatch(rows);
}
