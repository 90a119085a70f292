/** Brings the run that the address names into sight, once it is there. */
import { useEffect } from "react";
import type { StickyEnd } from "./useStickyEnd.js";

export function useShownRun(
  toPlace: StickyEnd["toPlace"],
  runId: string | undefined,
  isLoaded: boolean,
): void {
  useEffect(() => {
    if (runId === undefined || !isLoaded) return;
    toPlace((list) =>
      [...list.querySelectorAll("[data-run]")].find(
        (run) => run.getAttribute("data-run") === runId,
      ),
    );
  }, [toPlace, runId, isLoaded]);
}
