/** The form of a request: by query, by header, by accepted media types. */

import { type FormQuery, type StreamFormat, streamFormats } from "@callboard/run-log/http";
import { HttpProblem } from "../http/problem.js";
import { type Cursor, parseCursor } from "./cursor.js";
import type { StreamForm } from "./format.js";

export const defaultRate = 30;

export type FormDefaults = Partial<
  Pick<StreamForm, "format" | "toolEvents" | "streamArguments">
> & {
  readonly rate?: number | "all";
};

export function requestedForm(
  headers: Headers,
  query: FormQuery,
  defaults: FormDefaults = {},
): StreamForm {
  const format = query.format ?? formatNamed(headers) ?? defaults.format ?? "events";
  const rate = query.rate ?? defaults.rate ?? defaultRate;
  const isSse = (headers.get("accept") ?? "").includes("text/event-stream");
  return {
    format,
    framing: isSse || format === "ui-message" || format === "ag-ui" ? "sse" : "ndjson",
    toolEvents: query.tool_events ?? defaults.toolEvents ?? "v2",
    streamArguments: query.stream_arguments ?? defaults.streamArguments ?? false,
    rate: rate === "all" ? undefined : rate,
  };
}

function formatNamed(headers: Headers): StreamFormat | undefined {
  const name = headers.get("x-callboard-format");
  if (name === null) return undefined;
  const format = streamFormats.find((known) => known === name);
  if (format) return format;
  const message = `There is no format "${name.slice(0, 100)}": use one of ${streamFormats.join(", ")}.`;
  throw new HttpProblem(422, "invalid-request", message, {
    errors: [{ field: "X-Callboard-Format", message }],
  });
}

/** Where a browser's EventSource was cut. */
export function lastEventId(headers: Headers): Cursor | undefined {
  const id = headers.get("last-event-id");
  if (id === null || id === "") return undefined;
  const cursor = parseCursor(id);
  if (cursor) return cursor;
  const message = "It is not a cursor of this stream. Omit it to start from the beginning.";
  throw new HttpProblem(422, "invalid-request", message, {
    errors: [{ field: "Last-Event-ID", message }],
  });
}
