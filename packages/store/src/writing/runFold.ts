/**
 * The meaning of one run's events for the tables: the rows projection of `run-log`, with what only the store knows: the
 * user of the run, the position in the conversation, and outputs too big for a row.
 */

import { sessionTitleOf } from "@callboard/agent-sdk/sessions";
import type { EventOf, RunEvent, RunState } from "@callboard/run-log";
import {
  createProjector,
  createRowsProjection,
  type RowWrite,
} from "@callboard/run-log/projections";
import { createDeltaFolding, type FoldedDeltas, questionsOf } from "@callboard/run-log/writing";
import { rowIdsOf } from "../ids.js";
import type { Positions } from "./positions.js";
import { addWrite, createRowBatch, type RowBatch } from "./rowBatch.js";

export interface FoldOptions {
  readonly runId: string;
  readonly conversationId: string;
  readonly userId: string;
  readonly positions: Positions;
  /** The messages that have their position already, by row id: those of a run that is taken over. */
  readonly placed?: ReadonlyMap<string, number>;
}

export interface FoldedBatch {
  readonly rows: RowBatch;
  /** The first words of a user in this batch. */
  readonly title: string | undefined;
  /** Set if the run is parked after the batch. */
  readonly parked: Parked | undefined;
  /** The deltas that closings of the batch represent, by the position of the closing. */
  readonly folded: ReadonlyMap<number, FoldedDeltas>;
}

/** Milliseconds since the epoch. */
export interface Parked {
  readonly at: number;
  /** When the first of its questions expires. */
  readonly until: number | undefined;
}

export interface RowsFold {
  /** Set if the run is parked after the folded events. */
  readonly parked: Parked | undefined;
  fold(events: readonly RunEvent[]): FoldedBatch;
}

const maxOutputChars = 100_000;

export function createRowsFold(options: FoldOptions): RowsFold {
  const { runId, conversationId, userId, positions } = options;
  const projector = createProjector(
    createRowsProjection({ rowId: rowIdsOf(runId, conversationId), maxOutputChars }),
  );
  const folding = createDeltaFolding();
  const places = new Map<number, number>();
  let asked: EventOf<"message.opened"> | undefined;

  function titleIn(event: RunEvent): string | undefined {
    if (event.type === "message.opened" && event.role === "user") asked ??= event;
    if (event.type !== "text.closed" || event.messageId !== asked?.messageId) return undefined;
    return sessionTitleOf([asked, event]) || undefined;
  }

  /** The projection counts a run's messages from 0; the conversation has its own count. */
  function placeOf(position: number | null): number | null {
    return position === null ? null : (places.get(position) ?? null);
  }

  function owned(write: RowWrite): RowWrite {
    switch (write.table) {
      case "cx_message": {
        if (write.write === "update") return write;
        const position = options.placed?.get(write.row.id) ?? positions.take();
        places.set(write.row.position, position);
        return { ...write, row: { ...write.row, position } };
      }
      case "cx_tool_call":
        if (write.write === "update") return write;
        return { ...write, row: { ...write.row, user_id: userId } };
      case "cx_user_request": {
        if (write.write === "insert") return { ...write, row: { ...write.row, user_id: userId } };
        const { trigger_message_position, result_start_position, result_end_position } = write.set;
        const set = {
          ...write.set,
          trigger_message_position: placeOf(trigger_message_position ?? null),
          result_start_position: placeOf(result_start_position ?? null),
          result_end_position: placeOf(result_end_position ?? null),
        };
        return { ...write, set };
      }
      default:
        return write satisfies never;
    }
  }

  return {
    get parked() {
      return parkedIn(projector.run);
    },
    fold(events) {
      const rows = createRowBatch();
      const folded = new Map<number, FoldedDeltas>();
      let title: string | undefined;
      for (const event of events) {
        const deltas = folding.push(event);
        if (deltas) folded.set(event.seq, deltas);
        const persistKey = outputKeyOf(event);
        title ??= titleIn(event);
        for (const write of projector.push(event))
          addWrite(rows, withKey(owned(write), persistKey));
      }
      return { rows, title, parked: parkedIn(projector.run), folded };
    },
  };
}

function parkedIn(run: RunState): Parked | undefined {
  if (run.status !== "open" || run.parkedAt === undefined) return undefined;
  const ends = questionsOf(run).flatMap(({ expiresAt }) => expiresAt ?? []);
  return { at: run.parkedAt, until: ends.length === 0 ? undefined : Math.min(...ends) };
}

/**
 * Where the whole output is found that the row holds only the head and tail of: in the log, by the view
 * `cx_output`. A tool that kept it elsewhere has given it a key of its own.
 */
function outputKeyOf(event: RunEvent): string | undefined {
  if (event.type !== "call.closed" || event.persistKey !== undefined) return undefined;
  const { runId, callId, output } = event;
  if (output === undefined || output.length <= maxOutputChars) return undefined;
  return `${runId}/${callId}`;
}

function withKey(write: RowWrite, persistKey: string | undefined): RowWrite {
  if (persistKey === undefined || write.table !== "cx_tool_call" || write.write === "insert") {
    return write;
  }
  return { ...write, set: { ...write.set, persist_key: persistKey } };
}
