/** An event from its stored text, as it was written. One of an older version is lifted by the heart. */
import { parseEvent, type RunEvent } from "@callboard/run-log";

export function eventOf(text: string, place: string): RunEvent {
  const parsed = parseEvent(JSON.parse(text));
  if (parsed.status === "parsed") return parsed.event;
  throw new Error(`${place} cannot be read: ${parsed.problem}`);
}
