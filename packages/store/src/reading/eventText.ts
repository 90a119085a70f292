/**
 * An event from its stored text. It comes back as it was written, keys in their order, so that what is
 * replayed is what was streamed, byte for byte. One of an older version is lifted by the heart.
 */
import { parseEvent, type RunEvent, runEventSchema } from "@callboard/run-log";

export function eventOf(text: string, place: string): RunEvent {
  const value: unknown = JSON.parse(text);
  if (isRunEvent(value)) return value;
  const parsed = parseEvent(value);
  if (parsed.status === "parsed") return parsed.event;
  throw new Error(`${place} cannot be read: ${parsed.problem}`);
}

function isRunEvent(value: unknown): value is RunEvent {
  return runEventSchema.safeParse(value).success;
}
