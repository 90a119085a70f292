/** Warnings of the SDK, as lines of text. Its fields are already redacted. */
import type { Logger } from "@callboard/agent-sdk";
import { jsonLineOf } from "../door/jsonLine.js";
import { type Line, type Style, span } from "../door/spans.js";

type Fields = Readonly<Record<string, unknown>>;

export function createLineLogger(tell: (line: Line) => void): Logger {
  const told =
    (level: string, style: Style) =>
    (message: string, fields: Fields = {}): void => {
      tell([span(`callboard ${level}: `, style), span(message + detailsOf(message, fields))]);
    };
  const silent = (): void => undefined;
  return {
    debug: silent,
    info: silent,
    warn: told("warning", "warn"),
    error: told("error", "bad"),
  };
}

/** ` (reason: spawn docs ENOENT)`; fields that the message already contains are omitted. */
function detailsOf(message: string, fields: Fields): string {
  const details = Object.entries(fields).flatMap(([name, value]) => {
    const text = fieldText(value);
    return text === "" || message.includes(text) ? [] : [`${name}: ${text}`];
  });
  return details.length === 0 ? "" : ` (${details.join(", ")})`;
}

function fieldText(value: unknown): string {
  if (value === undefined) return "";
  if (value instanceof Error) return value.message;
  return typeof value === "string" ? value : jsonLineOf(value);
}
