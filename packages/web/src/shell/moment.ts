/**
 * Which time it is for what is shown: the time now, or the moment of a replay. A moment that has passed
 * can only be looked at. Some recordings tell no times: what stands for them there is the count of lines.
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

/** The time that is shown. It ticks only while it is asked to. */
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

/** Whether what is shown tells its times; where not, nothing is said to have lasted. */
export function useHasTimes(): boolean {
  return useContext(TimesContext);
}
