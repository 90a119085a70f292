/**
 * One scope of a reader of many runs: the runs of a conversation, or the caller's own, in the order of their starts. It
 * knows up to which run all are sent or open, and which became visible only after younger ones.
 */
import type { RunFacts } from "../stores/runStore.js";
import { isAfter, type RunOrder, type ScopePlace, sumOf } from "./watchCursor.js";

export interface WatchScope {
  /** From when on (milliseconds) runs are to be listed. */
  readonly listFrom: number;
  /** The runs of a list that are to be sent; the first list sets the position of the scope. */
  listed(runs: readonly RunFacts[]): readonly RunFacts[];
  /** Adds a run, after the first list; true if the scope has already passed its position. */
  enter(run: RunFacts): boolean;
  /** Moves on over runs whose turn has come; gives those that were passed. */
  pass(isWaiting: (runId: string) => boolean): readonly string[];
  leave(runId: string): void;
  /** Undefined while the position of the scope is unknown. */
  readonly place: ScopePlace | undefined;
}

/** A run that started this long before another is visible before it. */
export const lateMs = 60_000;
const start: RunOrder = { at: 0, runId: "" };

export interface WatchScopeOptions {
  /** Where an earlier reading of it was. */
  readonly resumed: ScopePlace | undefined;
  /** Runs that are over at the first list are skipped, up to the youngest existing run. */
  readonly isOpenOnly: boolean;
}

export function createWatchScope({ resumed, isOpenOnly }: WatchScopeOptions): WatchScope {
  let until: RunOrder = resumed ?? start;
  let isListed = false;
  /** After `until`, in order. */
  const ahead: RunOrder[] = [];
  const idsAhead = new Set<string>();
  /** Up to `until`, and not long before it. */
  const passed = new Map<string, number>();

  function isKnown({ runId }: RunFacts): boolean {
    return passed.has(runId) || idsAhead.has(runId);
  }

  function trim(): void {
    for (const [runId, at] of passed) if (at <= until.at - lateMs) passed.delete(runId);
  }

  /** If one became visible late, the recent ones are sent again. */
  function resume(runs: readonly RunFacts[], from: ScopePlace): void {
    const isBefore = (run: RunFacts): boolean => !isAfter(orderOf(run), from);
    const late = runs.filter((run) => isBefore(run) && run.createdAt > from.at - lateMs);
    const isSame = late.length === from.count && sumOf(late.map(runIdOf)) === from.sum;
    if (!isSame) until = { at: from.at - lateMs, runId: "" };
    for (const run of runs) {
      if (!isAfter(orderOf(run), until)) passed.set(run.runId, run.createdAt);
    }
  }

  function begin(runs: readonly RunFacts[]): void {
    if (resumed) resume(runs, resumed);
    else if (isOpenOnly) {
      const youngest = runs.at(-1);
      if (youngest) until = orderOf(youngest);
      for (const { runId, status, createdAt } of runs) {
        if (status === "closed") passed.set(runId, createdAt);
      }
    }
    trim();
    isListed = true;
  }

  return {
    get listFrom() {
      if (!isListed) return until.at - 2 * lateMs;
      return (ahead.at(-1) ?? until).at - lateMs;
    },
    listed(runs) {
      const isFirst = !isListed;
      const inOrder = runs.toSorted((one, other) =>
        isAfter(orderOf(one), orderOf(other)) ? 1 : -1,
      );
      if (isFirst) begin(inOrder);
      const isLeftOut = ({ status }: RunFacts): boolean =>
        isFirst && isOpenOnly && !resumed && status === "closed";
      // Much older runs were sent, or are known by name.
      const isOld = ({ createdAt }: RunFacts): boolean =>
        (!isFirst || resumed !== undefined) && createdAt <= until.at - lateMs;
      return inOrder.filter((run) => !isKnown(run) && !isLeftOut(run) && !isOld(run));
    },
    enter(run) {
      const order = orderOf(run);
      if (!isAfter(order, until)) {
        if (order.at > until.at - lateMs) passed.set(run.runId, order.at);
        return true;
      }
      const at = ahead.findLastIndex((other) => isAfter(order, other));
      if (!idsAhead.has(run.runId)) ahead.splice(at + 1, 0, order);
      idsAhead.add(run.runId);
      return false;
    },
    pass(isWaiting) {
      const count = ahead.findIndex(({ runId }) => isWaiting(runId));
      const gone = ahead.splice(0, count < 0 ? ahead.length : count);
      for (const { runId, at } of gone) {
        idsAhead.delete(runId);
        passed.set(runId, at);
      }
      until = gone.at(-1) ?? until;
      if (gone.length > 0) trim();
      return gone.map(runIdOf);
    },
    leave(runId) {
      passed.delete(runId);
      idsAhead.delete(runId);
      const at = ahead.findIndex((run) => run.runId === runId);
      if (at >= 0) ahead.splice(at, 1);
    },
    get place() {
      if (!isListed) return resumed;
      return { ...until, count: passed.size, sum: sumOf(passed.keys()) };
    },
  };
}

function orderOf({ createdAt: at, runId }: RunFacts): RunOrder {
  return { at, runId };
}

function runIdOf({ runId }: { readonly runId: string }): string {
  return runId;
}
