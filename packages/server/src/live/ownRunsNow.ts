/**
 * The caller's own runs when a stream of them opens: the open ones and the youngest. Queried before the response starts,
 * so that a run which the reader starts afterwards is never treated as one that was already over.
 */
import type { RunFacts, RunStore, Viewer } from "../stores/runStore.js";
import { lateMs } from "./watchScope.js";

export async function ownRunsNow(
  store: Pick<RunStore, "runsInOrder" | "listRuns">,
  viewer: Viewer,
): Promise<readonly RunFacts[]> {
  const runs = new Map<string, RunFacts>();
  const [youngest] = await store.listRuns(viewer, { limit: 1 });
  const since = (youngest?.createdAt ?? 0) - lateMs;
  for (const which of [{ isOpen: true }, { since }]) {
    for await (const page of store.runsInOrder(viewer, which)) {
      for (const run of page) runs.set(run.runId, run);
    }
  }
  return [...runs.values()];
}
