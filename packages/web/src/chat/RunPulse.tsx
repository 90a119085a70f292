/** The activity of a running run: what it does now, and for how long. Shown from its first moment. */
import type { RunView, Turn } from "@callboard/client";
import { useQuestions, useTurns } from "@callboard/client/react";
import { durationText } from "@callboard/run-log/projections";
import { useIsReadOnly, useTime } from "../shell/moment.js";
import { Icon } from "../values/Icon.js";
import { visibleText } from "../values/visibleText.js";

/** A moment that has passed shows no clock. */
export function RunPulse({ run }: { readonly run: RunView }) {
  return useIsReadOnly() ? null : <Pulse run={run} />;
}

function Pulse({ run }: { readonly run: RunView }) {
  const now = useTime(true);
  const turns = useTurns(run.conversationId);
  const turn = turns.findLast(({ runId }) => runId === run.runId);
  const isAsking = useQuestions().some(({ runId }) => runId === run.runId);
  const since = run.startedAt ?? now;
  return (
    <p className="flex items-baseline gap-2 text-quiet text-sm" data-actions="" data-pulse="">
      <Icon name="model" className="is-breathing self-center text-running" />
      <span>{visibleText(run.statusLine ?? wordsFor(turn, isAsking))}</span>
      <span className="tabular-nums">{durationText(Math.max(0, now - since))}</span>
    </p>
  );
}

function wordsFor(turn: Turn | undefined, isAsking: boolean): string {
  if (turn === undefined || turn.closedAt !== undefined)
    return isAsking ? "Waiting for you…" : "Working…";
  if (turn.kind === "compaction") return "Making the context shorter…";
  return turn.firstAt === undefined ? "Waiting for the model…" : "Answering…";
}
