/**
 * The row writes of a batch, merged: each row is written once, however often the batch touched it. It
 * knows rows and columns, never SQL.
 */
import type {
  CxMessageRow,
  CxToolCallRow,
  CxUserRequestRow,
  RowWrite,
} from "@callboard/run-log/projections";

interface Rows {
  readonly cx_user_request: CxUserRequestRow;
  readonly cx_message: CxMessageRow;
  readonly cx_tool_call: CxToolCallRow;
}

export type WrittenTable = keyof Rows;
export type Columns = Readonly<Record<string, unknown>>;

export interface TableWrites {
  /** Whole rows by id. */
  readonly inserts: Map<string, Columns>;
  /** The columns that change, by id. */
  readonly updates: Map<string, Columns>;
}

export type RowBatch = Readonly<Record<WrittenTable, TableWrites>>;

export function createRowBatch(): RowBatch {
  const table = (): TableWrites => ({ inserts: new Map(), updates: new Map() });
  return { cx_user_request: table(), cx_message: table(), cx_tool_call: table() };
}

export function addWrite(batch: RowBatch, write: RowWrite): void {
  if (write.write === "insert") {
    batch[write.table].inserts.set(write.row.id, { ...write.row });
    return;
  }
  const { inserts, updates } = batch[write.table];
  const inserted = inserts.get(write.id);
  if (inserted) inserts.set(write.id, { ...inserted, ...write.set });
  else updates.set(write.id, { ...updates.get(write.id), ...write.set });
}

export function isEmptyBatch(batch: RowBatch): boolean {
  return tableNames.every((name) => batch[name].inserts.size + batch[name].updates.size === 0);
}

/** The rows of several runs in one: their ids differ, so nothing is merged. */
export function joinedBatches(batches: readonly RowBatch[]): RowBatch {
  const joined = createRowBatch();
  for (const batch of batches) {
    for (const name of tableNames) {
      for (const [id, row] of batch[name].inserts) joined[name].inserts.set(id, row);
      for (const [id, set] of batch[name].updates) joined[name].updates.set(id, set);
    }
  }
  return joined;
}

/** In the order in which foreign keys let them be inserted. */
export const tableNames = [
  "cx_user_request",
  "cx_message",
  "cx_tool_call",
] as const satisfies readonly WrittenTable[];
