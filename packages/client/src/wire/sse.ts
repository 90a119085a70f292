/**
 * Server-sent events as the HTML standard reads them: fields, comments, data over several lines, ids
 * that stay until the next one. The name of an event is ignored: our payloads name themselves.
 */
import type { Frame, FrameReader } from "./frames.js";
import { createLineSplitter, defaultMaxLineChars, type Line } from "./lines.js";

export function createSseReader(maxLineChars = defaultMaxLineChars): FrameReader {
  const lines = createLineSplitter(maxLineChars);
  let data: string | undefined;
  let head: string | undefined;
  let id: string | undefined;

  function dispatched(): readonly Frame[] {
    const text = data;
    const tooLong = head;
    data = undefined;
    head = undefined;
    if (tooLong !== undefined) return [{ type: "tooLong", head: tooLong }];
    if (text === undefined) return [];
    return [id === undefined ? { type: "payload", text } : { type: "payload", text, id }];
  }

  function withData(value: string): void {
    if (head !== undefined) return;
    const whole = data === undefined ? value : `${data}\n${value}`;
    if (whole.length <= maxLineChars) data = whole;
    else head = whole.slice(0, 80);
  }

  function framesOf(line: Line): readonly Frame[] {
    if (typeof line !== "string") {
      head ??= line.head;
      return [];
    }
    if (line === "") return dispatched();
    if (line.startsWith(":")) return [{ type: "comment" }];
    const { name, value } = fieldOf(line);
    switch (name) {
      case "data":
        withData(value);
        return [];
      case "id":
        if (!value.includes("\0")) id = value;
        return [];
      case "retry":
        return /^\d{1,9}$/.test(value) ? [{ type: "retry", milliseconds: Number(value) }] : [];
      default:
        return [];
    }
  }

  return {
    push: (text) => lines.push(text).flatMap(framesOf),
    end() {
      const rest = lines.rest();
      const frames = [...(rest === "" ? [] : framesOf(rest)), ...dispatched()];
      return frames.map((frame) =>
        frame.type === "payload" ? { ...frame, isUnfinished: true } : frame,
      );
    },
  };
}

function fieldOf(line: string): { readonly name: string; readonly value: string } {
  const colon = line.indexOf(":");
  if (colon === -1) return { name: line, value: "" };
  const value = line.slice(colon + 1);
  return { name: line.slice(0, colon), value: value.startsWith(" ") ? value.slice(1) : value };
}
