/** What became of the messages that a server has accepted, as the logs say. */
import type { RunEvent } from "@callboard/run-log";
import type { QueueOutcome } from "@callboard/run-log/writing";
import type { Laws } from "./laws.js";

/**
 * `said`: exactly once. `returned`: it waited, and its sender is shown that it was not read. `carried`: the run in
 * which it waited names a run that never started.
 */
export type MessageFate = "said" | "returned" | "carried" | "repeated" | "lost";

export function fateOf({ runs }: Laws, text: string): MessageFate {
  const events = [...runs.values()].flatMap((run) => run.events);
  const said = keptTextsIn(events).filter((one) => one === text).length;
  if (said > 0) return said === 1 ? "said" : "repeated";
  const outcome = lastOutcomeOf(events, text);
  if (outcome === "returned" || outcome === "removed") return "returned";
  return outcome === "carried" ? "carried" : "lost";
}

function keptTextsIn(events: readonly RunEvent[]): readonly string[] {
  const users = new Set(
    events.flatMap((event) =>
      event.type === "message.opened" && event.role === "user" ? [event.messageId] : [],
    ),
  );
  return events.flatMap((event) =>
    event.type === "text.closed" && users.has(event.messageId) ? [event.text] : [],
  );
}

/** How it left the last queue in which it waited. */
function lastOutcomeOf(events: readonly RunEvent[], text: string): QueueOutcome | undefined {
  const waited = new Set(
    events.flatMap((event) =>
      event.type === "message.queued" && event.text === text ? [event.messageId] : [],
    ),
  );
  const left = events.findLast(
    (event) => event.type === "message.unqueued" && waited.has(event.messageId),
  );
  return left?.type === "message.unqueued" ? left.outcome : undefined;
}
