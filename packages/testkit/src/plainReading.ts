/**
 * The rules implemented a second time, in a simple form: the lifecycle of each call is a word that is matched against a
 * regular expression. Slow, incomplete and independent of the fold, so that each can detect errors of the other.
 */
import type { CallEvent, RunEvent } from "@callboard/run-log";

/**
 * o opened, d argument delta, i arguments closed, m arguments amended, a asked, y allowed, n denied, s started,
 * p progressed, k closed well, c closed otherwise. A word may stop anywhere.
 */
export const lifeOfCall = /^od*(c|im?(aym?)*(c|a(c|nc?)?|s(p|ay)*([ck]|a(c|nc?)?)?)?)?$/;

function letterOf(event: CallEvent): string {
  switch (event.type) {
    case "call.opened":
      return "o";
    case "call.input.delta":
      return "d";
    case "call.input.closed":
      return "i";
    case "call.input.amended":
      return "m";
    case "call.approval.asked":
      return "a";
    case "call.approval.answered":
      return event.allowed ? "y" : "n";
    case "call.run.started":
      return "s";
    case "call.run.progressed":
      return "p";
    case "call.closed":
      return event.outcome === "ok" ? "k" : "c";
    default:
      return event satisfies never;
  }
}

/** Why a history is not a valid log; undefined if this reading finds nothing. */
export function violationOf(history: readonly RunEvent[]): string | undefined {
  const [first] = history;
  if (!first) return undefined;
  if (first.type !== "run.started") return "it does not begin with the run";
  const words = new Map<string, string>();
  for (const [index, event] of history.entries()) {
    if (event.seq !== index + 1) return `seq ${event.seq} stands at place ${index + 1}`;
    if (event.runId !== first.runId) return `seq ${event.seq} is of another run`;
    if (event.type === "run.started" && index > 0) return "it starts twice";
    if (event.type === "run.closed" && index < history.length - 1)
      return "it goes on after its end";
    if ("callId" in event)
      words.set(event.callId, (words.get(event.callId) ?? "") + letterOf(event));
  }
  const isOver = history.at(-1)?.type === "run.closed";
  for (const [callId, word] of words) {
    if (!lifeOfCall.test(word)) return `call ${callId} lives ${word}`;
    if (isOver && !/[ck]$/.test(word)) return `call ${callId} is open after the run: ${word}`;
  }
  return undefined;
}
