/**
 * One logical stream, over as many connections as necessary: frames go in, items come out, each once. It knows its
 * position (`cursor`) and nothing of connections, time or HTTP.
 */
import type { Frame } from "./frames.js";
import { lineTooLong, type MalformedNotice } from "./notices.js";
import { isRemark, payloadOf } from "./payload.js";

export interface Reading<Item> {
  push(frame: Frame): readonly Item[];
  /** Where to continue after an interruption; absent before anything was received. */
  readonly cursor: string | undefined;
  /** How many lines of the server were handed on: more than before means that it goes forward. */
  readonly received: number;
  /** False once an item without a position was received: the stream cannot be resumed. */
  readonly isResumable: boolean;
  /** The stream is complete. */
  readonly isEnded: boolean;
}

/** The items of a frame, where `itemsOf` knows what a payload means. Remarks mean nothing more. */
export function itemsIn<Item>(
  frame: Frame,
  itemsOf: (value: unknown, frame: Extract<Frame, { type: "payload" }>) => readonly Item[],
): readonly (Item | MalformedNotice)[] {
  switch (frame.type) {
    case "payload": {
      const payload = payloadOf(frame);
      if (payload.type === "nothing") return [];
      if (payload.type === "notice") return [payload.notice];
      return isRemark(payload.value) ? [] : itemsOf(payload.value, frame);
    }
    case "tooLong":
      return [lineTooLong(frame.head)];
    case "comment":
    case "retry":
      return [];
    default:
      return frame satisfies never;
  }
}
