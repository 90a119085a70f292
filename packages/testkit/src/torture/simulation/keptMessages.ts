/** What became of the messages that a server has accepted, as the logs say. */
import type { RunEvent } from "@callboard/run-log";
import type { Laws } from "./laws.js";

/** Whether a message was said exactly once, or waited and is shown to its sender as not delivered. */
export function isKept({ runs }: Laws, text: string): boolean {
  const events = [...runs.values()].flatMap((run) => run.events);
  const said = saidIn(events).filter((one) => one === text).length;
  return said === 1 || (said === 0 && isReturned(events, text));
}

function saidIn(events: readonly RunEvent[]): readonly string[] {
  const users = new Set(
    events.flatMap((event) =>
      event.type === "message.opened" && event.role === "user" ? [event.messageId] : [],
    ),
  );
  return events.flatMap((event) =>
    event.type === "text.closed" && users.has(event.messageId) ? [event.text] : [],
  );
}

function isReturned(events: readonly RunEvent[], text: string): boolean {
  const waited = new Set(
    events.flatMap((event) =>
      event.type === "message.queued" && event.text === text ? [event.messageId] : [],
    ),
  );
  return events.some(
    (event) =>
      event.type === "message.unqueued" &&
      waited.has(event.messageId) &&
      (event.outcome === "returned" || event.outcome === "removed"),
  );
}
