/**
 * The time of the shown state: now, or the moment of a replay. A past moment is read-only. Some recordings have no
 * times: there the number of lines replaces them.
 */
import { createContext, useContext, useSyncExternalStore } from "react";
import { useNow } from "./useNow.js";

/** A moment of the past that can be moved. */
export interface ShownMoment {
  readonly now: number;
  onMove(listener: () => void): () => void;
}

const MomentContext = createContext<ShownMoment | undefined>(undefined);

export const MomentProvider = MomentContext.Provider;

export function useIsReadOnly(): boolean {
  return useContext(MomentContext) !== undefined;
}

const VisitContext = createContext(false);

export const VisitProvider = VisitContext.Provider;

/** Whether the conversation is read by a link: what may not be done is not drawn. */
export function useIsVisit(): boolean {
  return useContext(VisitContext);
}

const nothing = (): void => undefined;

/** The shown time. It ticks only on request. */
export function useTime(isTicking: boolean): number {
  const moment = useContext(MomentContext);
  const now = useNow(isTicking && moment === undefined);
  const then = useSyncExternalStore(
    (listener) => (moment && isTicking ? moment.onMove(listener) : nothing),
    () => (moment && isTicking ? moment.now : 0),
  );
  return moment ? then : now;
}

const TimesContext = createContext(true);

export const HasTimesProvider = TimesContext.Provider;

/** Whether the shown state has times; without them no durations are shown. */
export function useHasTimes(): boolean {
  return useContext(TimesContext);
}
