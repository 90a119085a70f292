/**
 * The lines of many runs on one response: each with the id of its run, some with a cursor that covers all of them. A
 * cursor is sent when it is worth its bytes: after a while, or when a run has ended and nothing waits.
 */

import { framedExtra, type StreamForm } from "../streams/format.js";
import { cursorAfter, type Line } from "../streams/line.js";
import { safeJson } from "../streams/safeJson.js";
import type { Sink } from "../streams/sink.js";
import { formatWatchCursor } from "./watchCursor.js";
import type { WatchPlaces } from "./watchPlaces.js";

export interface WatchLines {
  /** False when the reader is full. */
  write(runId: string, lines: readonly Line[], isLive: boolean): boolean;
  /** Lines that are not from a log: an announcement, a reset. */
  tell(runId: string, value: object): void;
  /** The named run may not be read. */
  tellClosed(what: Closed, reason: ClosedReason): void;
}

type Closed = { readonly conversation_id: string } | { readonly run_id: string };
type ClosedReason = "access_lost" | "not_found";

const messages: Readonly<Record<ClosedReason, string>> = {
  access_lost: "It was deleted or is no longer shared with you.",
  not_found: "It is not there, or you may not see it.",
};

export interface WatchLinesOptions {
  readonly sink: Sink;
  readonly form: StreamForm;
  readonly places: WatchPlaces;
  readonly monotonic: () => number;
  /** Whether stored runs wait for their turn. */
  readonly hasBacklog: () => boolean;
}

const paceMs = 1_000;
const paceChars = 65_536;

export function createWatchLines(options: WatchLinesOptions): WatchLines {
  const { sink, form, places, monotonic, hasBacklog } = options;
  let saidAt = monotonic();
  let charsSince = 0;

  function framedLine(runId: string, json: string, cursor: string | undefined): string {
    const place = cursor === undefined ? "" : `"cursor":"${cursor}",`;
    const line = `{"run_id":"${runId}",${place}${json.slice(1)}`;
    if (form.framing === "ndjson") return `${line}\n`;
    return cursor === undefined ? `data: ${line}\n\n` : `id: ${cursor}\ndata: ${line}\n\n`;
  }

  function isDue(isLive: boolean, hasEnded: boolean): boolean {
    if (hasEnded && !hasBacklog()) return true;
    // Merged text of this format does not contain its offset: it must not be sent twice.
    if (isLive && form.format === "events") return true;
    return monotonic() - saidAt >= paceMs || charsSince >= paceChars;
  }

  return {
    write(runId, lines, isLive) {
      const last = lines.at(-1);
      if (last === undefined) return true;
      places.moved(runId, cursorAfter(last));
      const hasEnded = last.isEnd === true;
      if (hasEnded) places.ended(runId);
      for (const { json } of lines) charsSince += json.length;
      let cursor: string | undefined;
      if (isDue(isLive, hasEnded)) {
        cursor = formatWatchCursor(places.cursor);
        saidAt = monotonic();
        charsSince = 0;
      }
      const texts = lines.map((line) =>
        framedLine(runId, line.json, line === last ? cursor : undefined),
      );
      return sink.write(texts.join(""));
    },
    tell: (runId, value) => void sink.write(framedLine(runId, safeJson(value), undefined)),
    tellClosed(what, reason) {
      const data = { reason, message: messages[reason] };
      sink.write(framedExtra(safeJson({ event: "closed", ...what, data }), form.framing));
    },
  };
}
