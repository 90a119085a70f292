/**
 * The `log` format: the run's own events, each with its position. An event that was read before is skipped; an
 * overlapping delta is harmless, since it has its offset.
 */
import { parseEvent, type RunEvent } from "@callboard/run-log";
import { malformed, type StreamNotice } from "./notices.js";
import { resetOf } from "./payload.js";
import { itemsIn, type Reading } from "./reading.js";

/** The items of a log stream: events of the log, and notices about the stream itself. */
export type LogStreamItem = RunEvent | StreamNotice;

export function isNotice<Item extends object>(
  item: Item | StreamNotice,
): item is Extract<Item, StreamNotice> | StreamNotice {
  return (
    "event" in item &&
    (item.event === "connection" || item.event === "reset" || item.event === "malformed")
  );
}

export function createLogReading(after = 0): Reading<LogStreamItem> {
  let seq = after;
  let received = 0;
  let isEnded = false;

  function itemsOf(value: unknown, { text }: { readonly text: string }): readonly LogStreamItem[] {
    const reset = resetOf(value);
    if (reset) {
      seq = reset.data.seq;
      return [reset];
    }
    const parsed = parseEvent(value);
    if (parsed.status === "malformed") return [malformed(parsed.problem, text)];
    if (parsed.event.seq <= seq) return [];
    seq = parsed.event.seq;
    received += 1;
    if (parsed.event.type === "run.closed") isEnded = true;
    return [parsed.event];
  }

  return {
    push: (frame) => (isEnded ? [] : itemsIn(frame, itemsOf)),
    get cursor() {
      return seq === 0 ? undefined : String(seq);
    },
    get received() {
      return received;
    },
    isResumable: true,
    get isEnded() {
      return isEnded;
    },
  };
}
