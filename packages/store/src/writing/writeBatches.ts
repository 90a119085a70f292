/**
 * The one transaction that makes batches true: runs begun, events appended, rows kept, other nodes
 * told. All of them or none: a run that may not move takes the whole group back.
 */
import type { Database, StoreDb, StoreTransaction } from "../connections/database.js";
import type { Moved } from "../live/newsPayload.js";
import { appendEvents } from "./eventStatements.js";
import { isEmptyBatch, joinedBatches } from "./rowBatch.js";
import { writeRows } from "./rowStatements.js";
import { closingIn, lastSeqOf, type RunBatch } from "./runBatch.js";
import { beginRun, type Ownership, touchConversations } from "./startStatements.js";

/** Some runs of the group may not move: not this node's, or not at the position that was expected. */
export class RunsNotMovedError extends Error {
  override readonly name = "RunsNotMovedError";
  readonly runIds: ReadonlySet<string>;

  constructor(runIds: ReadonlySet<string>) {
    super(`not moved: ${[...runIds].join(", ")}`);
    this.runIds = runIds;
  }
}

/** Throws a RunsNotMovedError when not all could be written; where only events were, some may be. */
export async function writeBatches(
  database: Database,
  ownership: Ownership,
  batches: readonly RunBatch[],
): Promise<void> {
  // A statement is a transaction of its own: what is streamed most of the time needs no other.
  if (batches.every(isEventsOnly)) return await append(database.db, ownership, batches);
  await database.db
    .transaction()
    .execute((transaction) => writeIn(transaction, ownership, batches));
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
  await append(db, ownership, batches);
  await writeRows(db, joinedBatches(batches.map(({ rows }) => rows)));
  await touchConversations(db, batches);
}

async function append(
  db: StoreDb,
  { owner, news }: Ownership,
  batches: readonly RunBatch[],
): Promise<void> {
  const heads = batches.map((batch): Moved => [batch.runId, lastSeqOf(batch)]);
  const moved = await appendEvents(db, owner, batches, news?.moved(heads) ?? []);
  if (moved.size === batches.length) return;
  throw new RunsNotMovedError(
    new Set(batches.flatMap(({ runId }) => (moved.has(runId) ? [] : [runId]))),
  );
}

function isEventsOnly(batch: RunBatch): boolean {
  const { start, title, rows } = batch;
  if (start !== undefined || title !== undefined) return false;
  return closingIn(batch) === undefined && isEmptyBatch(rows);
}
