/**
 * A message that comes while a run idles beside its calls in the background: the same run reads it and answers in another
 * turn. The run is not busy, so nothing is superseded, and nothing has to wait.
 */
import { createUiMessagesFold } from "@callboard/run-log/projections";
import type { Caller } from "../auth/caller.js";
import type { RunFacts, RunStore } from "../stores/runStore.js";
import type { OpenTurn } from "./openTurn.js";
import type { MessageQueues, Queued } from "./queue.js";
import { createRunViewer } from "./runView.js";
import { viewedRun, wholeLog } from "./runWatch.js";
import type { Ask, BegunRun } from "./startRun.js";
import type { UserInput } from "./userInput.js";

export type LaterTurn = Pick<OpenTurn, "cursor" | "sinceMessage">;

/** Undefined if the run does not idle. Else what became of the message, which is read at once. */
export async function sentToIdle(
  store: RunStore,
  queues: MessageQueues,
  caller: Caller,
  ask: Ask,
  run: RunFacts,
): Promise<OpenTurn | BegunRun | Queued | undefined> {
  const { view } = await viewedRun(store, run.runId);
  if (!view.isIdle) return undefined;
  const sent = await queues.beginOrQueue(caller, ask, "step");
  if (!("waitsIn" in sent) || sent.waitsIn !== run.runId) return sent;
  const { seq } = view.state;
  return {
    run: { ...run, lastSeq: Math.max(run.lastSeq, seq) },
    cursor: { seq, lines: 0 },
    turnAfter: seq,
    sinceMessage: sent.messageId,
  };
}

/** The turn that the same message started in a run before: its request is sent again. */
export async function laterTurnOf(
  store: RunStore,
  run: RunFacts,
  { id, text, images }: UserInput & { readonly id: string },
): Promise<LaterTurn | undefined> {
  const log = await wholeLog(store, run.runId);
  const fold = createUiMessagesFold();
  const viewer = createRunViewer();
  for (const event of log) {
    fold.push(event);
    viewer.push(event);
  }
  const since = viewer.view.laterTurns.get(id);
  const parts = fold.messages.find((message) => message.id === id)?.parts ?? [];
  const texts = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  const isSame = texts.join("") === text && parts.length - texts.length === images.length;
  if (since === undefined || !isSame) return undefined;
  return { cursor: { seq: since, lines: 0 }, sinceMessage: id };
}
