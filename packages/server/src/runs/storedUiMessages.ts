/**
 * A conversation as the AI SDK's messages, from its stored runs. The answer of a run that is under way is left
 * out: the page's resume tells it from its beginning. That of a run that waits is there, with its question.
 */
import { createUiMessagesFold, type RunEvent, type UiMessage } from "@callboard/run-log";
import type { Caller } from "../auth/caller.js";
import { seesSecrets } from "../live/readerForm.js";
import type { ServerParts } from "../parts.js";
import type { RunFacts } from "../stores/runStore.js";
import { createRunViewer } from "./runView.js";

const pageEvents = 1_000;

export async function storedUiMessages(
  parts: ServerParts,
  caller: Caller,
  conversationId: string,
  limit: number,
): Promise<readonly UiMessage[]> {
  const runs = await parts.store.listRuns(caller, { conversationId, limit });
  const messages: UiMessage[] = [];
  for (const run of runs.toReversed()) messages.push(...(await messagesOf(parts, caller, run)));
  return messages;
}

async function messagesOf(
  parts: ServerParts,
  caller: Caller,
  run: RunFacts,
): Promise<readonly UiMessage[]> {
  const isOpen = await seesSecrets(parts, caller, run);
  const shown = isOpen ? (event: RunEvent) => event : parts.redactor.createEventRedactor();
  const events: RunEvent[] = [];
  const viewer = createRunViewer();
  for (;;) {
    const page = await parts.store.read(run.runId, {
      after: events.at(-1)?.seq ?? 0,
      limit: pageEvents,
    });
    for (const event of page) viewer.push(event);
    events.push(...page);
    if (page.length < pageEvents) break;
  }
  const { delegatedTools, waits, state } = viewer.view;
  const fold = createUiMessagesFold({ pageTools: [...delegatedTools] });
  for (const event of events) fold.push(shown(event));
  const isTold = state.status === "closed" || waits.at(-1)?.isLast === true;
  return fold.messages.filter(({ role }) => isTold || role === "user");
}
