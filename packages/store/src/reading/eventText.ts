/** An event from its stored text, unchanged. `run-log` converts one of an older version. */
import { parseEvent, type RunEvent } from "@callboard/run-log";

export function eventOf(text: string, place: string): RunEvent {
  const parsed = parseEvent(JSON.parse(text));
  if (parsed.status === "parsed") return parsed.event;
  throw new Error(`${place} cannot be read: ${parsed.problem}`);
}
