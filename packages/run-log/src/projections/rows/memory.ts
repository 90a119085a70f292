/** The memory of the rows surface, and the options that it gets from outside. */
import type { CallId, MessageId } from "../../log/ids.js";
import { createLedger, type Ledger } from "../../log/ledger.js";
import type { Timeline } from "../../stages/timeline.js";
import type { JsonObject } from "../../values/json.js";
import type { CxContentPart } from "./rowTypes.js";

export type RowTable = "cx_conversation" | "cx_message" | "cx_tool_call" | "cx_user_request";

export interface RowsOptions {
  /**
   * The primary key for a row, always the same for the same key: for example a UUID made from it. Keys are
   * ids of the log; a call's key has its run in front, since providers repeat call ids.
   */
  readonly rowId: (table: RowTable, key: string) => string;
  /** The conversation's next free position. Default 0. */
  readonly firstPosition?: number;
  /** Longer outputs keep their head and tail in the row. Default 100,000. */
  readonly maxOutputChars?: number;
  /** Default 100 events of at most 2,000 characters. */
  readonly maxTimelineEvents?: number;
  readonly maxTimelineEventChars?: number;
}

export interface MessageRowMemory {
  readonly rowId: string;
  readonly content: readonly CxContentPart[];
  /** The calls made in this message, in their order: each gets a row of role `tool` behind it. */
  readonly calls: readonly CallId[];
}

export interface RowsMemory {
  readonly requestId: string;
  readonly conversationId: string;
  readonly userId: string | null;
  readonly messages: Ledger<MessageId, MessageRowMemory>;
  readonly timelines: ReadonlyMap<CallId, Timeline>;
  readonly nextPosition: number;
  readonly triggerPosition: number | null;
  readonly resultStart: number | null;
  readonly resultEnd: number | null;
  readonly iterations: number;
  readonly toolMs: number;
  readonly error: string | null;
  /** Of the request's row. */
  readonly metadata: JsonObject;
  /** When the first request to the model was sent. */
  readonly askedAt: number;
  /** From there to the first of that answer, in milliseconds. */
  readonly firstTokenMs: number | null;
}

export function initialRowsMemory(options: RowsOptions): RowsMemory {
  return {
    requestId: "",
    conversationId: "",
    userId: null,
    messages: createLedger(),
    timelines: new Map(),
    nextPosition: options.firstPosition ?? 0,
    triggerPosition: null,
    resultStart: null,
    resultEnd: null,
    iterations: 0,
    toolMs: 0,
    error: null,
    metadata: {},
    askedAt: 0,
    firstTokenMs: null,
  };
}

/** ISO text of a time of the log. */
export function timeOf(at: number): string {
  return new Date(at).toISOString();
}
