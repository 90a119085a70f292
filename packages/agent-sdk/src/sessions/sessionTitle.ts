/** The title of a session in a list: the first words of the user. */
import type { MessageId, RunEvent } from "@callboard/run-log";

const mostCharacters = 80;

export function sessionTitleOf(events: Iterable<RunEvent>): string {
  let asked: MessageId | undefined;
  let heard = "";
  for (const event of events) {
    if (event.type === "message.opened" && isFromUser(event)) asked ??= event.messageId;
    else if (event.type === "text.delta" && event.messageId === asked) heard += event.text;
    else if (event.type === "text.closed" && event.messageId === asked)
      return firstWords(event.text);
  }
  return firstWords(heard);
}

function isFromUser(event: Extract<RunEvent, { type: "message.opened" }>): boolean {
  return event.role === "user" && event.parentCallId === undefined;
}

function firstWords(text: string): string {
  const line = text
    .slice(0, 10 * mostCharacters)
    .trim()
    .replace(/\s+/g, " ");
  const characters = Array.from(line);
  if (characters.length <= mostCharacters) return line;
  return `${characters
    .slice(0, mostCharacters - 1)
    .join("")
    .trimEnd()}…`;
}
