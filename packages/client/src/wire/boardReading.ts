/**
 * The stream of many runs: events of the log as in the `log` format, each with the `run_id` it belongs
 * to and a `cursor` that stands for all runs at once; and announcements of runs that became visible.
 * It has no end of its own. An event that was read before is left out, run by run.
 */
import { inEnglish, parseEvent, problemText, type RunEvent } from "@callboard/run-log";
import * as z from "zod/mini";
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

/** The server does not know any more how far this run was read: it is told from its beginning. */
export interface RunReset {
  readonly event: "run_reset";
  readonly runId: string;
}

/** A conversation may not be read, or not any more: the stream goes on without it. */
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

const placeSchema = z.looseObject({
  run_id: z.exactOptional(z.string()),
  cursor: z.exactOptional(z.string()),
});

const announcedSchema = z.pipe(
  z.object({
    event: z.literal("run"),
    data: z.object({
      conversation_id: z.string(),
      status: z.enum(["open", "closed"]),
      last_seq: z.int().check(z.minimum(0)),
    }),
  }),
  z.transform(({ data }) => ({
    conversationId: data.conversation_id,
    status: data.status,
    lastSeq: data.last_seq,
  })),
);

const closedSchema = z.object({
  event: z.literal("closed"),
  conversation_id: z.string(),
  data: z.object({ reason: z.string(), message: z._default(z.string(), "") }),
});

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
    // Moved only after the line was read: a cut in between asks for it again.
    cursor = told ?? id ?? cursor;
    return items;
  }

  function unplaced(value: object, text: string): readonly BoardItem[] {
    const closed = closedSchema.safeParse(value).data;
    if (closed) {
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
      const announced = announcedSchema.safeParse(value, inEnglish);
      if (announced.success) return [{ event: "run", runId, data: announced.data }];
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
