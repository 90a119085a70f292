/** A run up to a position, as the rows that its tables have: for readers whose cursor is not known. */
import type { RunEvent } from "@callboard/run-log";
import {
  type CxMessageRow,
  type CxToolCallRow,
  createProjector,
  createRowsProjection,
  messageRowKey,
  type RowWrite,
} from "@callboard/run-log/projections";
import { rowIdsOf } from "@callboard/store";

export interface RunSnapshot {
  readonly messages: readonly CxMessageRow[];
  readonly tool_calls: readonly CxToolCallRow[];
}

interface RunIds {
  readonly runId: string;
  readonly conversationId: string;
}

export interface SnapshotFold {
  push(events: readonly RunEvent[]): Promise<void>;
  readonly snapshot: RunSnapshot;
}

/** Folds a log a page at a time. `positionOf` returns the position of the run's first message in its conversation. */
export function createSnapshotFold(
  { runId, conversationId }: RunIds,
  positionOf: (messageRowId: string) => Promise<number>,
): SnapshotFold {
  const rowId = rowIdsOf(runId, conversationId);
  const messages = new Map<string, CxMessageRow>();
  const calls = new Map<string, CxToolCallRow>();
  /** The events before the first message: only a few. */
  let before: RunEvent[] = [];
  let projector: { push(event: RunEvent): readonly RowWrite[] } | undefined;

  return {
    async push(events) {
      const first = events.find((event) => event.type === "message.opened");
      if (!projector && first?.type === "message.opened") {
        const firstPosition = await positionOf(rowId("cx_message", messageRowKey(first)));
        projector = createProjector(createRowsProjection({ rowId, firstPosition }));
      }
      if (!projector) {
        before.push(...events);
        return;
      }
      for (const event of [...before, ...events]) {
        for (const write of projector.push(event)) apply(write, messages, calls);
      }
      before = [];
    },
    get snapshot() {
      return { messages: [...messages.values()], tool_calls: [...calls.values()] };
    },
  };
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
