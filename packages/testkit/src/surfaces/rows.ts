/** The rows of the read model: what the tables hold after every write was done. */
import {
  createRowsProjection,
  type RowsMemory,
  type RowWrite,
} from "@callboard/run-log/projections";
import type { Surface } from "../surface.js";

export const rowsSurface: Surface<RowsMemory, RowWrite> = {
  name: "rows",
  projection: createRowsProjection({ rowId: (table, key) => `${table}/${key}` }),
  finalOf: (writes) => [...tablesAfter(writes)],
  callOf: (write) =>
    write.table === "cx_tool_call" && !isPlacing(write) ? rowIdOf(write) : undefined,
  isEnd: (write) => {
    if (write.table !== "cx_tool_call") return false;
    const { status } = write.write === "insert" ? write.row : write.set;
    return status === "completed" || status === "error";
  },
};

/** A call's row is joined to its message when the message is whole: the call itself has not changed. */
function isPlacing(write: RowWrite): boolean {
  return write.write === "update" && Object.keys(write.set).every((name) => name === "message_id");
}

function rowIdOf(write: RowWrite): string {
  return write.write === "insert" ? write.row.id : write.id;
}

function tablesAfter(writes: readonly RowWrite[]): ReadonlyMap<string, object> {
  const rows = new Map<string, object>();
  for (const write of writes) {
    const fields = write.write === "insert" ? write.row : write.set;
    rows.set(rowIdOf(write), { ...rows.get(rowIdOf(write)), ...fields });
  }
  return rows;
}
