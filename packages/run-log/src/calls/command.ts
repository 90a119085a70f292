/** Commands: what the person runs beside the model by a tool of ours that executes command lines. */
import type { CallState } from "../log/callState.js";
import type { EventOf } from "../log/events/index.js";
import { isJsonObject, type JsonValue } from "../values/json.js";

/** Any other tool that the person runs is a tool call like the model's. */
export function isCommand({
  openedBy,
  toolType,
  kind,
}: Pick<CallState, "openedBy" | "toolType" | "kind">): boolean {
  return openedBy === "user" && toolType === "local" && kind === "execute";
}

/** The command line of a command that the person ran: its `command` argument, or the raw text. */
export function commandOf(event: EventOf<"call.input.closed">): string {
  if (!event.parsed) return event.text;
  const command = fieldOf(event.input, "command");
  return typeof command === "string" ? command : (event.text ?? JSON.stringify(event.input));
}

/** The output, for the model, of a command that printed nothing. */
export const noOutput = "(No output.)";

/**
 * What a command printed. For the model, the tool adds the exit code to the output, and a note if the command printed
 * nothing. People see the exit code and the empty output instead.
 */
export function printedOutput(output: string, exitCode: number | null | undefined): string {
  if (output === noOutput) return "";
  const note = `[exit code ${exitCode}]`;
  return output.endsWith(note) ? output.slice(0, -note.length) : output;
}

function fieldOf(value: JsonValue, key: string): JsonValue | undefined {
  if (!isJsonObject(value)) return undefined;
  return Object.entries(value).find(([name]) => name === key)?.[1];
}
