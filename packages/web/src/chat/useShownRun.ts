/** Brings the run that the address names, or the call that is chosen on the board, into sight, once it is there. */
import { useEffect } from "react";
import type { CallKey } from "../board/trackKey.js";
import type { StickyEnd } from "./useStickyEnd.js";

export function useShownRun(
  toPlace: StickyEnd["toPlace"],
  runId: string | undefined,
  isLoaded: boolean,
): void {
  useEffect(() => {
    if (runId === undefined || !isLoaded) return;
    toPlace(
      (list) =>
        [...list.querySelectorAll("[data-run]")].find(
          (run) => run.getAttribute("data-run") === runId,
        ),
      "start",
    );
  }, [toPlace, runId, isLoaded]);
}

export function useShownCallPlace(
  toPlace: StickyEnd["toPlace"],
  call: CallKey | undefined,
  isLoaded: boolean,
): void {
  useEffect(() => {
    if (call === undefined || !isLoaded) return;
    toPlace((list) => list.querySelector(".call-card[aria-current]") ?? undefined, "nearest");
  }, [toPlace, call, isLoaded]);
}
