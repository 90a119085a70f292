/** What the SDK warns of, as lines. Its fields come redacted. */
import type { Logger } from "@callboard/agent-sdk";
import { jsonLineOf } from "../door/jsonLine.js";
import { type Line, type Style, span } from "../door/spans.js";

export function createLineLogger(tell: (line: Line) => void): Logger {
  const told =
    (level: string, style: Style) =>
    (message: string, fields?: Readonly<Record<string, unknown>>): void => {
      const details = fields === undefined ? "" : ` ${jsonLineOf(fields)}`;
      tell([span(`callboard ${level}: `, style), span(message + details)]);
    };
  const silent = (): void => undefined;
  return {
    debug: silent,
    info: silent,
    warn: told("warning", "warn"),
    error: told("error", "bad"),
  };
}
