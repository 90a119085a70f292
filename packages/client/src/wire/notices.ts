/**
 * What a stream tells about itself, between the lines that the server wrote: how the connection is,
 * that the server began anew, and lines that could not be read. Notices have no position in the log.
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

/** The cursor was not known any more: forget what was shown, take the snapshot, go on from `seq`. */
export interface ResetNotice {
  readonly event: "reset";
  readonly data: {
    readonly reason: string;
    readonly seq: number;
    readonly snapshot?: JsonValue;
  };
}

/** A line that is not what it should be. It is left out; the stream goes on. */
export interface MalformedNotice {
  readonly event: "malformed";
  readonly data: {
    readonly problem: string;
    /** The beginning of the line. */
    readonly text: string;
  };
}

export type StreamNotice = ConnectionNotice | ResetNotice | MalformedNotice;

export function malformed(problem: string, text: string): MalformedNotice {
  return { event: "malformed", data: { problem, text: text.slice(0, 200) } };
}

export function lineTooLong(head: string): MalformedNotice {
  return malformed("the line is longer than this client keeps: it was left out", head);
}
