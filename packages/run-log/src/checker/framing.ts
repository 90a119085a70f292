/**
 * From the lines of a recording to its messages: NDJSON as it is, server-sent events put together from
 * their `data:` lines. Framing never looks into a message beyond parsing it.
 */
import { isFields } from "./fields.js";
import type { Payload } from "./report.js";
import { type Remark, violation } from "./rules.js";

export type Framed =
  | { readonly type: "payload"; readonly payload: Payload }
  | { readonly type: "fault"; readonly line: number; readonly remark: Remark };

export interface Framing {
  /** At most one message per line: a server-sent event is complete on the blank line after it. */
  push(line: string): Framed | undefined;
  /** The event that the recording cut off before its blank line. */
  end(): Framed | undefined;
  lines(): number;
}

const sseLine = /^(data|event|id|retry)(?::|$)/;

export function createFraming(): Framing {
  let lines = 0;
  let data: string[] = [];
  let firstLine = 0;
  let eventName: string | undefined;
  let eventId: string | undefined;

  const dispatch = (): Framed | undefined => {
    const text = data.join("\n");
    const isEmpty = data.length === 0;
    const meta = {
      ...(eventName === undefined ? {} : { eventName }),
      ...(eventId === undefined ? {} : { eventId }),
    };
    data = [];
    eventName = undefined;
    eventId = undefined;
    return isEmpty ? undefined : framed(text, firstLine, meta);
  };

  return {
    push(raw) {
      lines += 1;
      const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
      if (line.trim() === "") return dispatch();
      if (line.startsWith(":")) return undefined;
      const field = sseLine.exec(line)?.[1];
      if (field === undefined) return framed(line, lines, {});
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

function framed(
  text: string,
  line: number,
  meta: { readonly eventName?: string; readonly eventId?: string },
): Framed {
  if (text.trim() === "[DONE]") return { type: "payload", payload: { type: "done", line } };
  const data = parsed(text);
  // A named event may carry a bare value: `event: end`, `data: true`.
  const isBare = meta.eventName !== undefined && data !== undefined && !isFields(data);
  const value = isBare ? { event: meta.eventName, data } : data;
  if (isFields(value))
    return { type: "payload", payload: { type: "object", line, value, ...meta } };
  const what = value === undefined ? "not JSON" : "not an object";
  return { type: "fault", line, remark: violation("malformed-line", `the line is ${what}`) };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
