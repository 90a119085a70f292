/**
 * The `events` format: `{ event, data, seq }`. Several lines may share a `seq`; the cursor counts how
 * many of them were received (`12.1`: all of 12, and the first line of 13), so that a cut between
 * them neither loses nor repeats one. Streams of other servers may have no `seq` at all.
 */
import type { AgentStreamEvent } from "@callboard/run-log/http";
import { parseAgentStreamLine, type UnknownLine } from "./agentStreamLine.js";
import { malformed, type StreamNotice } from "./notices.js";
import { resetOf } from "./payload.js";
import { itemsIn, type Reading } from "./reading.js";

/** The items of an events stream: the server's lines, and notices about the stream itself. */
export type AgentStreamItem = AgentStreamEvent | UnknownLine | StreamNotice;

export function createEventsReading(after?: string): Reading<AgentStreamItem> {
  let cursor = after;
  let seq = 0;
  let count = 0;
  let received = 0;
  let isResumable = true;
  let isEnded = false;

  /** Whether a line at this position is new. */
  function isNews(position: number): boolean {
    if (position < seq) return false;
    count = position === seq ? count + 1 : 1;
    seq = position;
    cursor = `${seq - 1}.${count}`;
    return true;
  }

  function itemsOf(
    value: unknown,
    { text }: { readonly text: string },
  ): readonly AgentStreamItem[] {
    const reset = resetOf(value);
    if (reset) {
      seq = reset.data.seq;
      count = 0;
      cursor = String(seq);
      return [reset];
    }
    const parsed = parseAgentStreamLine(value);
    if (parsed.status === "malformed") return [malformed(parsed.problem, text)];
    const { line } = parsed;
    if (line.seq === undefined) isResumable = false;
    else if (!isNews(line.seq)) return [];
    if (line.event === "end") isEnded = true;
    received += 1;
    return [line];
  }

  return {
    push: (frame) => (isEnded ? [] : itemsIn(frame, itemsOf)),
    get cursor() {
      return cursor;
    },
    get received() {
      return received;
    },
    get isResumable() {
      return isResumable;
    },
    get isEnded() {
      return isEnded;
    },
  };
}
