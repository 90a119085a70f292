/**
 * One's own runs at the moment that a stream of them opens: the open ones and the youngest. It is asked before the
 * response begins, so that a run which the reader starts afterwards is never taken for one that was over already.
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
