/** Whether the message of a request with a key was taken in before, and where: a retry must not say it again. */
import type { RunStore, Viewer } from "../stores/runStore.js";
import { viewedRun } from "./runWatch.js";

/**
 * How many runs of the conversation are searched for a message that waited. Between a request and its retry the run in
 * which it waited may end, and the message may start the next one, in whose queue it never was.
 */
const recentRuns = 3;

/** The ids that a key gives to a run and to its message. */
export interface SentNames {
  readonly conversationId: string;
  readonly runId: string;
  readonly messageId: string;
}

/** `begun`: the key has started its run. `waitsIn`: the run in which the message waits, or waited. */
export type SentBefore = { readonly begun: string } | { readonly waitsIn: string };

export async function sentBefore(
  store: Pick<RunStore, "findRun" | "listRuns" | "read">,
  viewer: Viewer,
  { conversationId, runId, messageId }: SentNames,
): Promise<SentBefore | undefined> {
  if (await store.findRun(viewer, runId)) return { begun: runId };
  const runs = await store.listRuns(viewer, { conversationId, limit: recentRuns });
  for (const run of runs) {
    const { view } = await viewedRun(store, run.runId);
    if (view.queued.has(messageId)) return { waitsIn: run.runId };
  }
  return undefined;
}
