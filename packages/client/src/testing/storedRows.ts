/** A log as the rows that its tables would have, read through the client's own schemas. */
import type { RunEvent } from "@callboard/run-log";
import {
  type MessageRow,
  messageRowSchema,
  type ToolCallRow,
  toolCallRowSchema,
} from "@callboard/run-log/http";
import {
  createProjector,
  createRowsProjection,
  type RowWrite,
} from "@callboard/run-log/projections";

export function rowsOf(log: readonly RunEvent[]) {
  const projector = createProjector(
    createRowsProjection({ rowId: (table, key) => `${table}:${key}` }),
  );
  const messages = new Map<string, object>();
  const calls = new Map<string, object>();
  const put = (write: RowWrite): void => {
    if (write.table === "cx_user_request") return;
    const table = write.table === "cx_message" ? messages : calls;
    if (write.write === "insert") table.set(write.row.id, write.row);
    else table.set(write.id, { ...table.get(write.id), ...write.set });
  };
  for (const event of log) for (const write of projector.push(event)) put(write);
  return {
    messages: [...messages.values()].map((row): MessageRow => messageRowSchema.parse(row)),
    toolCalls: [...calls.values()].map((row): ToolCallRow => toolCallRowSchema.parse(row)),
  };
}
