/**
 * Notices of a stream about itself, between the lines that the server wrote: the state of the connection, a reset by the
 * server, and unreadable lines. Notices have no position in the log.
 */
import type { JsonValue } from "@callboard/run-log";

export type ConnectionNotice = {
  readonly event: "connection";
  readonly data:
    | { readonly status: "live" }
    | {
        readonly status: "reconnecting";
        readonly reason: string;
        /** Counts the attempts since something was last received, from 1. */
        readonly attempt: number;
        readonly delayMs: number;
      };
};

/** The cursor is no longer known: discard what was shown, apply the snapshot, continue from `seq`. */
export interface ResetNotice {
  readonly event: "reset";
  readonly data: {
    readonly reason: string;
    readonly seq: number;
    readonly snapshot?: JsonValue;
  };
}

/** An invalid line. It is skipped; the stream continues. */
export interface MalformedNotice {
  readonly event: "malformed";
  readonly data: {
    readonly problem: string;
    /** The start of the line. */
    readonly text: string;
  };
}

export type StreamNotice = ConnectionNotice | ResetNotice | MalformedNotice;

export function malformed(problem: string, text: string): MalformedNotice {
  return { event: "malformed", data: { problem, text: text.slice(0, 200) } };
}

export function lineTooLong(head: string): MalformedNotice {
  return malformed("the line is longer than this client keeps: it was skipped", head);
}
