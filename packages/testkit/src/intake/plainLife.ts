/**
 * Random lives without what no agent does: argument text that is not what the arguments close with, and a call that ended
 * well with an exit code of failure. The rules accept such a log, but a dialect that contains only the text or the exit code
 * cannot say what the closing says.
 */
import type { EventOf, RunEvent } from "@callboard/run-log";

export function plainLife(log: readonly RunEvent[]): readonly RunEvent[] {
  const wholes = new Map<string, string>();
  for (const event of log) {
    if (event.type === "call.input.closed") wholes.set(event.callId, textOf(event));
  }
  const told = new Set<string>();
  const events: RunEvent[] = [];
  for (const event of log) {
    const seq = events.length + 1;
    if (event.type === "call.input.delta") {
      const text = wholes.get(event.callId) ?? "";
      if (text === "" || told.has(event.callId)) continue;
      told.add(event.callId);
      events.push({ ...event, seq, offset: 0, text });
    } else if (event.type === "call.closed" && event.outcome === "ok") {
      const { exitCode: _, ...closing } = event;
      events.push({ ...closing, seq });
    } else events.push({ ...event, seq });
  }
  return events;
}

function textOf(closing: EventOf<"call.input.closed">): string {
  return closing.parsed ? (closing.text ?? JSON.stringify(closing.input)) : closing.text;
}

/** Whether texts of several messages grow at once: a dialect that does not name messages mixes their pieces. */
export function hasMixedTexts(log: readonly RunEvent[]): boolean {
  const started = new Set<string>();
  let last = "";
  for (const event of log) {
    if (event.type !== "text.delta" && event.type !== "reasoning.delta") continue;
    const part = `${event.messageId} ${event.partId}`;
    if (part !== last && started.has(part)) return true;
    started.add(part);
    last = part;
  }
  return false;
}
