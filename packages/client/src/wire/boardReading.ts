/**
 * The stream of many runs: events of the log as in the `log` format, each with the `run_id` it belongs to and a `cursor`
 * that covers all runs at once; and announcements of runs that became visible. It has no end of its own. An event that
 * was read before is skipped, run by run.
 */
import { parseEvent, type RunEvent } from "@callboard/run-log";
import { closedSchema, placeSchema, runAnnouncedSchema } from "@callboard/run-log/http";
import { inEnglish, problemText } from "@callboard/run-log/values";
import { malformed, type StreamNotice } from "./notices.js";
import { eventNameOf, resetOf } from "./payload.js";
import { itemsIn, type Reading } from "./reading.js";

export interface RunAnnounced {
  readonly event: "run";
  readonly runId: string;
  readonly data: {
    readonly conversationId: string;
    readonly status: "open" | "closed";
    /** How far the run is: what is shown of it is whole once it has come so far. */
    readonly lastSeq: number;
  };
}

/** The server no longer knows the position of this run: it is sent from its start. */
export interface RunReset {
  readonly event: "run_reset";
  readonly runId: string;
}

/** A conversation may not, or may no longer, be read: the stream continues without it. */
export interface ConversationClosed {
  readonly event: "conversation_closed";
  readonly conversationId: string;
  readonly data: {
    /** `access_lost` or `not_found`. */
    readonly reason: string;
    readonly message: string;
  };
}

export type BoardItem = RunEvent | RunAnnounced | RunReset | ConversationClosed | StreamNotice;

/** `positions` holds how far each run was read, and is kept up to date. */
export function createBoardReading(
  positions: Map<string, number>,
  startCursor?: string,
): Reading<BoardItem> {
  let cursor = startCursor;
  let received = 0;

  function itemsOf(
    value: unknown,
    { text, id }: { readonly text: string; readonly id?: string },
  ): readonly BoardItem[] {
    const place = placeSchema.safeParse(value);
    if (!place.success) return [malformed("a line is a JSON object", text)];
    const { run_id: runId, cursor: told, ...rest } = place.data;
    const items = runId === undefined ? unplaced(rest, text) : placed(rest, runId, text);
    // Moved only after the line was read: after an interruption in between the line is requested again.
    cursor = told ?? id ?? cursor;
    return items;
  }

  function unplaced(value: object, text: string): readonly BoardItem[] {
    const closed = closedSchema.safeParse(value).data;
    if (closed?.conversation_id !== undefined) {
      const { conversation_id: conversationId, data } = closed;
      return [{ event: "conversation_closed", conversationId, data }];
    }
    const reset = resetOf(value);
    if (reset === undefined) {
      return [malformed("a line of this stream names its run (`run_id`)", text)];
    }
    positions.clear();
    return [reset];
  }

  function placed(value: object, runId: string, text: string): readonly BoardItem[] {
    if (eventNameOf(value) === "run") {
      const announced = runAnnouncedSchema.safeParse(value, inEnglish);
      if (announced.success) {
        const { conversation_id: conversationId, status, last_seq: lastSeq } = announced.data.data;
        return [{ event: "run", runId, data: { conversationId, status, lastSeq } }];
      }
      return [malformed(problemText(announced.error), text)];
    }
    // A run that was named and may not be read: nothing of it comes.
    if (eventNameOf(value) === "closed") return [];
    if (resetOf(value)) {
      positions.delete(runId);
      return [{ event: "run_reset", runId }];
    }
    const parsed = parseEvent(value);
    if (parsed.status === "malformed") return [malformed(parsed.problem, text)];
    const { event } = parsed;
    if (event.seq <= (positions.get(runId) ?? 0)) return [];
    positions.set(runId, event.seq);
    received += 1;
    return [event];
  }

  return {
    push: (frame) => itemsIn(frame, itemsOf),
    get cursor() {
      return cursor;
    },
    get received() {
      return received;
    },
    isResumable: true,
    isEnded: false,
  };
}
