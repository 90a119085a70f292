/**
 * A conversation as the messages that third-party clients keep, from its stored runs. The answer of a running run is
 * omitted: the client's stream sends it from its start.
 */
import {
  type AgUiMessage,
  createAgUiMessagesFold,
  createUiMessagesFold,
  type UiMessage,
} from "@callboard/run-log/projections";
import type { StoredRun } from "./storedRuns.js";

/** For the AI SDK. The answer of a run that waits is there, with its question, and the answer of one that idles. */
export function uiMessagesOf(runs: readonly StoredRun[]): readonly UiMessage[] {
  return runs.flatMap(({ events, view: { delegatedTools, waits, state } }) => {
    const fold = createUiMessagesFold({ pageTools: [...delegatedTools] });
    for (const event of events) fold.push(event);
    const isTold = state.status === "closed" || waits.at(-1)?.isLast === true;
    return fold.messages.filter(({ role }) => isTold || role === "user");
  });
}

/**
 * For AG-UI, whose stream of an open run starts with these messages. Of a run that idles they are those until it began to
 * idle: its stream starts there.
 */
export function agUiMessagesOf(
  runs: readonly StoredRun[],
  idleSince: number | undefined,
): readonly AgUiMessage[] {
  return runs.flatMap(({ events, view: { state, isIdle } }) => {
    const fold = createAgUiMessagesFold();
    const idles = isIdle && idleSince !== undefined;
    for (const event of events) if (!idles || event.seq <= idleSince) fold.push(event);
    const isWhole = state.status === "closed" || idles;
    return fold.messages.filter(({ role }) => isWhole || role === "user");
  });
}
