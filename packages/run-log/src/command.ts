import type { EventOf } from "./events/index.js";
import { isJsonObject, type JsonValue } from "./json.js";

/** The command line of a command that the person ran: its `command` argument, or the raw text. */
export function commandOf(event: EventOf<"call.input.closed">): string {
  if (!event.parsed) return event.text;
  const command = fieldOf(event.input, "command");
  return typeof command === "string" ? command : (event.text ?? JSON.stringify(event.input));
}

function fieldOf(value: JsonValue, key: string): JsonValue | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}
