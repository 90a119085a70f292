/** A run up to a position, as the rows that its tables have: for readers whose cursor is not known. */
import {
  type CxMessageRow,
  type CxToolCallRow,
  createProjector,
  createRowsProjection,
  type RowWrite,
  type RunEvent,
} from "@callboard/run-log";
import { rowIdsOf } from "@callboard/store";

export interface RunSnapshot {
  readonly messages: readonly CxMessageRow[];
  readonly tool_calls: readonly CxToolCallRow[];
}

/** The row of a run's first message; undefined where nothing was said yet. */
export function firstMessageRowId(
  events: readonly RunEvent[],
  { runId, conversationId }: RunIds,
): string | undefined {
  const first = events.find((event) => event.type === "message.opened");
  if (first?.type !== "message.opened") return undefined;
  return rowIdsOf(runId, conversationId)("cx_message", first.messageId);
}

interface RunIds {
  readonly runId: string;
  readonly conversationId: string;
}

/** `firstPosition` is where the run's messages begin in its conversation. */
export function snapshotOf(
  events: readonly RunEvent[],
  { runId, conversationId }: RunIds,
  firstPosition: number,
): RunSnapshot {
  const rowId = rowIdsOf(runId, conversationId);
  const projector = createProjector(createRowsProjection({ rowId, firstPosition }));
  const messages = new Map<string, CxMessageRow>();
  const calls = new Map<string, CxToolCallRow>();
  for (const event of events) {
    for (const write of projector.push(event)) apply(write, messages, calls);
  }
  return { messages: [...messages.values()], tool_calls: [...calls.values()] };
}

function apply(
  write: RowWrite,
  messages: Map<string, CxMessageRow>,
  calls: Map<string, CxToolCallRow>,
): void {
  switch (write.table) {
    case "cx_message": {
      if (write.write === "insert") messages.set(write.row.id, write.row);
      else {
        const row = messages.get(write.id);
        if (row) messages.set(write.id, { ...row, ...write.set });
      }
      return;
    }
    case "cx_tool_call": {
      if (write.write === "insert") calls.set(write.row.id, write.row);
      else {
        const row = calls.get(write.id);
        if (row) calls.set(write.id, { ...row, ...write.set });
      }
      return;
    }
    case "cx_user_request":
      return;
    default:
      write satisfies never;
  }
}
