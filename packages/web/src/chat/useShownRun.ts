/** Brings the run that the address names into sight, once it is there. */
import { useEffect } from "react";
import type { StickyEnd } from "./useStickyEnd.js";

export function useShownRun(
  { list, toPlace }: Pick<StickyEnd, "list" | "toPlace">,
  runId: string | undefined,
  isLoaded: boolean,
): void {
  useEffect(() => {
    if (runId === undefined || !isLoaded) return;
    const runs = [...(list.current?.querySelectorAll("[data-run]") ?? [])];
    const named = runs.find((run) => run.getAttribute("data-run") === runId);
    if (named) toPlace(named);
  }, [list, toPlace, runId, isLoaded]);
}
