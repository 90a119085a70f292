/**
 * A conversation as the messages that third-party clients keep, from its stored runs. The answer of a running run is
 * omitted: the client's stream sends it from its start.
 */
import {
  type AgUiMessage,
  createAgUiMessagesFold,
  createUiMessagesFold,
  laterMessageId,
  type UiMessage,
} from "@callboard/run-log/projections";
import type { LoggedRun } from "./runView.js";
import type { StoredRun } from "./storedRuns.js";

/**
 * For the AI SDK. The answer of a run that waits is there, with its question, and the answer of one that idles. Of any
 * other open run only the answer is omitted that is being written: a run may have answered several messages.
 */
export function uiMessagesOf(runs: readonly StoredRun[]): readonly UiMessage[] {
  return runs.flatMap(({ run, events, view: { delegatedTools, waits, state, laterTurns } }) => {
    const fold = createUiMessagesFold({ pageTools: [...delegatedTools] });
    for (const event of events) fold.push(event);
    const isTold = state.status === "closed" || waits.at(-1)?.isLast === true;
    const answering = [...laterTurns.keys()].at(-1);
    const written = answering === undefined ? run.runId : laterMessageId(run.runId, answering);
    return fold.messages.filter(({ role, id }) => isTold || role === "user" || id !== written);
  });
}

/**
 * For AG-UI, whose stream of an open run starts with these messages. Of a run that idled they are those until then: its
 * stream starts there.
 */
export function agUiMessagesOf(runs: readonly StoredRun[]): readonly AgUiMessage[] {
  return runs.flatMap(({ events, view }) => {
    const fold = createAgUiMessagesFold();
    const told = idleSinceOf(view) ?? 0;
    const before = new Set<string>();
    for (const event of events) {
      fold.push(event);
      if (event.seq === told) for (const { id } of fold.messages) before.add(id);
    }
    const isOver = view.state.status === "closed";
    return fold.messages.filter(({ role, id }) => isOver || role === "user" || before.has(id));
  });
}

/** Where the run idled last, whether or not it does now. */
export function idleSinceOf({ waits }: LoggedRun): number | undefined {
  return waits.findLast(({ ids }) => ids.size === 0)?.since;
}
