/**
 * Parses events that come from outside: a file, a socket, a database. Older versions are converted to the current one
 * step by step; a newer one is refused. The result contains what was written, with its keys in their order: a replay is
 * equal to the stream, byte for byte.
 */

import { messageOfError } from "../values/errorMessage.js";
import { inEnglish, problemText } from "../values/schemaProblem.js";
import { LOG_VERSION } from "./events/envelope.js";
import { type RunEvent, runEventSchema } from "./events/index.js";

/** An event, or the problem of a text that is not one. */
export type ParsedEvent =
  | { readonly status: "parsed"; readonly event: RunEvent }
  | { readonly status: "malformed"; readonly problem: string };

type RawEvent = Readonly<Record<string, unknown>>;

/** `steps[n]` lifts an event of version n to version n + 1. */
export type UpcastSteps = readonly ((event: RawEvent) => RawEvent)[];

export function isRawEvent(value: unknown): value is RawEvent {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Version 0 is a log from before events had a version: times were ISO texts. A step never changes after a release has
 * written the version that it leads to.
 */
const upcastSteps: UpcastSteps = [
  ({ at, ...event }) => ({
    ...event,
    v: 1,
    at: typeof at === "string" ? Date.parse(at) : at,
  }),
];

export function upcast(
  event: RawEvent,
  steps: UpcastSteps = upcastSteps,
): { readonly event: RawEvent } | { readonly problem: string } {
  const version = event.v ?? 0;
  if (typeof version !== "number" || !Number.isInteger(version) || version < 0) {
    return { problem: `v must be a whole number, not ${JSON.stringify(version)}` };
  }
  if (version > steps.length) {
    return {
      problem: `written by a newer version of the log (${version}); this one reads up to ${steps.length}: upgrade to read it`,
    };
  }
  return { event: steps.slice(version).reduce((lifted, step) => step(lifted), event) };
}

/** Reads an event from a JSON value. Converts events of earlier versions. */
export function parseEvent(value: unknown): ParsedEvent {
  if (!isRawEvent(value)) return { status: "malformed", problem: "an event is a JSON object" };
  const lifted = upcast(value);
  if ("problem" in lifted) return { status: "malformed", problem: lifted.problem };
  const problems: string[] = [];
  if (isRunEvent(lifted.event, problems)) return { status: "parsed", event: lifted.event };
  return { status: "malformed", problem: problems.join("\n") };
}

/** The schema has no defaults and changes nothing: what fits is already the event. */
function isRunEvent(value: unknown, problems: string[]): value is RunEvent {
  const parsed = runEventSchema.safeParse(value, inEnglish);
  if (!parsed.success) problems.push(problemText(parsed.error));
  return parsed.success;
}

/** One line of a JSONL log. */
export function parseEventLine(line: string): ParsedEvent {
  try {
    return parseEvent(JSON.parse(line));
  } catch (error) {
    const problem = messageOfError(error);
    return { status: "malformed", problem: `not JSON: ${problem}` };
  }
}

/** Writes an event as one line of JSON. */
export function formatEventLine(event: RunEvent): string {
  return `${JSON.stringify({ ...event, v: LOG_VERSION })}\n`;
}
