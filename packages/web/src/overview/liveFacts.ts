/** What the last run of a conversation does at this moment, from the stream; nothing is kept from one look to the next. */
import type { Board } from "@callboard/client";
import { describeTrack } from "@callboard/run-log/projections";
import { withCurrentName } from "../calls/toolNames.js";

export interface LiveFacts {
  /** "Running npm test" */
  readonly doing: string;
  /** Of the run so far, those of its nested agents too. */
  readonly calls: number;
  /** Since the run started. */
  readonly ms: number;
}

/** Undefined if no run of the conversation is open, or nothing of it has arrived. */
export function liveFactsOf(
  board: Pick<Board, "conversation" | "calls">,
  conversationId: string,
  now: number,
): LiveFacts | undefined {
  const run = board.conversation(conversationId).runs.at(-1);
  if (run?.status !== "open" || run.startedAt === undefined) return undefined;
  const calls = board.calls(conversationId).filter(({ runId }) => runId === run.runId);
  const open = calls.filter(({ closedAt }) => closedAt === undefined);
  // A question is what the run waits for; else the call that was opened last says most.
  const shown = open.find(({ approval }) => approval !== undefined) ?? open.at(-1);
  const ms = Math.max(0, now - run.startedAt);
  if (shown === undefined) return { doing: "The model answers", calls: calls.length, ms };
  const { verb, target } = describeTrack(withCurrentName(shown), now);
  return { doing: `${verb} ${target}`.trim(), calls: calls.length, ms };
}
