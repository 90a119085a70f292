/** Runs whose message was answered again or edited: a later run took their place. */
import type { RunView } from "@callboard/client";
import { useMemo } from "react";

/** The ids of the runs that a later run replaces: the run that it names, and all between the two. */
export function replacedIn(
  runs: readonly Pick<RunView, "runId" | "replaces">[],
): readonly string[] {
  const replaced = new Set<string>();
  runs.forEach(({ replaces }, index) => {
    if (replaces === undefined) return;
    const from = runs.findIndex(({ runId }) => runId === replaces);
    if (from < 0) return;
    for (const { runId } of runs.slice(from, index)) replaced.add(runId);
  });
  return [...replaced];
}

/** The same set as long as it has the same runs: what is drawn from it is not drawn again. */
export function useReplacedRuns(runs: readonly RunView[]): ReadonlySet<string> {
  const key = replacedIn(runs).join(" ");
  return useMemo(() => new Set(key.split(" ")), [key]);
}
