/** The stored runs of a conversation, the oldest first, as one caller may read them. */
import type { RunEvent } from "@callboard/run-log";
import type { Caller } from "../auth/caller.js";
import { seesSecrets } from "../live/readerForm.js";
import type { ServerParts } from "../parts.js";
import type { RunFacts } from "../stores/runStore.js";
import { createRunViewer, type LoggedRun } from "./runView.js";

const pageEvents = 1_000;

export interface StoredRun {
  readonly run: RunFacts;
  /** Without secrets if the caller may not see them. */
  readonly events: readonly RunEvent[];
  readonly view: LoggedRun;
}

/** The newest `limit` runs, without those that another run took the place of. */
export async function storedRuns(
  parts: ServerParts,
  caller: Caller,
  conversationId: string,
  limit: number,
): Promise<readonly StoredRun[]> {
  const runs = await parts.store.listRuns(caller, { conversationId, limit });
  const stored: StoredRun[] = [];
  for (const run of runs.toReversed()) {
    const next = await storedRun(parts, caller, run);
    const [started] = next.events;
    const replaced = started?.type === "run.started" ? started.replaces : undefined;
    const from = stored.findIndex((one) => one.run.runId === replaced);
    if (from >= 0) stored.splice(from);
    stored.push(next);
  }
  return stored;
}

async function storedRun(parts: ServerParts, caller: Caller, run: RunFacts): Promise<StoredRun> {
  const isOpen = await seesSecrets(parts, caller, run);
  const shown = isOpen ? (event: RunEvent) => event : parts.redactor.createEventRedactor();
  const events: RunEvent[] = [];
  const viewer = createRunViewer();
  for (;;) {
    const page = await parts.store.read(run.runId, {
      after: events.at(-1)?.seq ?? 0,
      limit: pageEvents,
    });
    for (const event of page) {
      viewer.push(event);
      events.push(shown(event));
    }
    if (page.length < pageEvents) break;
  }
  return { run, events, view: viewer.view };
}
