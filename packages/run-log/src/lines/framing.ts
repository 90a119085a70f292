/**
 * From the lines of a stream to its messages: NDJSON as it is, server-sent events put together from their
 * `data:` lines. It never looks into a message beyond parsing it.
 */

import { type Fields, isFields } from "../values/fields.js";
import { parsedJson } from "../values/json.js";
import { withoutUndefined } from "../values/optional.js";

export interface FrameMeta {
  /** The `event:` and `id:` of a server-sent event. */
  readonly eventName?: string;
  readonly eventId?: string;
}

/** `line` counts from 1 and is the first line of the message. */
export type Frame = { readonly line: number } & (
  | ({ readonly type: "object"; readonly value: Fields } & FrameMeta)
  /** The `[DONE]` that some streams close with. */
  | { readonly type: "done" }
  | { readonly type: "malformed"; readonly problem: string }
);

export interface Framing {
  /** At most one message per line: a server-sent event is complete on the blank line after it. */
  push(line: string): Frame | undefined;
  /** The event that the stream cut off before its blank line. */
  end(): Frame | undefined;
  lines(): number;
}

const noMeta: FrameMeta = {};
const sseLine = /^(data|event|id|retry)(?::|$)/;

export function createFraming(): Framing {
  let lines = 0;
  let data: string[] = [];
  let firstLine = 0;
  let eventName: string | undefined;
  let eventId: string | undefined;

  const dispatch = (): Frame | undefined => {
    const text = data.join("\n");
    const isEmpty = data.length === 0;
    const meta = {
      ...withoutUndefined({ eventName, eventId }),
    };
    data = [];
    eventName = undefined;
    eventId = undefined;
    return isEmpty ? undefined : frameOf(text, firstLine, meta);
  };

  return {
    push(raw) {
      lines += 1;
      // Most lines are JSON as it is.
      if (raw.startsWith("{")) return frameOf(raw, lines, noMeta);
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
      if (line.trim() === "") return dispatch();
      if (line.startsWith(":")) return undefined;
      const field = sseLine.exec(line)?.[1];
      if (field === undefined) return frameOf(line, lines, noMeta);
      const rest = line.slice(field.length + 1);
      const value = rest.startsWith(" ") ? rest.slice(1) : rest;
      if (field === "event") eventName = value;
      if (field === "id") eventId = value;
      if (field === "data") {
        if (data.length === 0) firstLine = lines;
        data.push(value);
      }
      return undefined;
    },
    end: dispatch,
    lines: () => lines,
  };
}

function frameOf(text: string, line: number, meta: FrameMeta): Frame {
  if (text.length < 64 && text.trim() === "[DONE]") return { type: "done", line };
  const data = parsedJson(text);
  // A named event may carry a bare value: `event: end`, `data: true`.
  const isBare = meta.eventName !== undefined && data !== undefined && !isFields(data);
  const value = isBare ? { event: meta.eventName, data } : data;
  if (isFields(value)) {
    return meta === noMeta
      ? { type: "object", line, value }
      : { type: "object", line, value, ...meta };
  }
  const what = value === undefined ? "not JSON" : "not an object";
  return { type: "malformed", line, problem: `the line is ${what}` };
}
