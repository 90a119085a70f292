/**
 * What a run and all agents that work for it have used of their limits, what a person granted beyond them, and
 * which limits a person refused to raise. One budget for the whole tree of a run.
 */
import type { LimitName, LimitRequest } from "@callboard/run-log/asking";
import type { LimitAction, Limits } from "../../types/limits.js";
import type { GuardErrorType, GuardVerdict } from "./warnings.js";

export type BudgetLimits = Pick<
  Limits,
  "maxTurns" | "maxCalls" | "maxCostUsd" | "maxRunMs" | "onLimit" | "ceiling"
>;

export interface RunBudget {
  readonly used: Record<LimitName, number>;
  /** The limit plus what was granted; undefined if there is no limit. */
  allowed(limit: LimitName): number | undefined;
  /** Set by the timer of the run. Seconds. */
  elapsed: () => number;
  grant(limit: LimitName, more: number): void;
  deny(limit: LimitName): void;
  isDenied(limit: LimitName): boolean;
  /** The question for more of it; undefined if the limit does not ask, or was refused. */
  question(limit: LimitName): Extract<GuardVerdict, { status: "ask" }> | undefined;
}

export const limitErrorTypes: Readonly<Record<LimitName, GuardErrorType>> = {
  cost: "cost_budget",
  turns: "turn_limit",
  calls: "call_limit",
  time: "run_time",
};

export function createRunBudget(
  limits: BudgetLimits,
  { canAsk, elapsed }: { readonly canAsk: boolean; readonly elapsed: () => number },
): RunBudget {
  const granted: Record<LimitName, number> = { cost: 0, turns: 0, calls: 0, time: 0 };
  const denied = new Set<LimitName>();
  const { maxRunMs } = limits;
  const given: Readonly<Record<LimitName, number | undefined>> = {
    cost: limits.maxCostUsd,
    turns: limits.maxTurns,
    calls: limits.maxCalls,
    time: maxRunMs === undefined ? undefined : maxRunMs / 1_000,
  };

  const budget: RunBudget = {
    used: { cost: 0, turns: 0, calls: 0, time: 0 },
    elapsed,
    allowed(limit) {
      const most = given[limit];
      return most === undefined ? undefined : most + granted[limit];
    },
    grant(limit, more) {
      granted[limit] += more;
    },
    deny: (limit) => void denied.add(limit),
    isDenied: (limit) => denied.has(limit),
    question(limit) {
      const allowed = budget.allowed(limit);
      if (!canAsk || allowed === undefined || denied.has(limit)) return undefined;
      if (limitActionOf(limits.onLimit, limit) !== "ask") return undefined;
      const used = limit === "time" ? budget.elapsed() : budget.used[limit];
      const more = Math.min(
        given[limit] || 1,
        (limits.ceiling[limit] ?? Number.POSITIVE_INFINITY) - allowed,
      );
      if (more <= 0) return undefined;
      const request: LimitRequest = { limit, used, allowed, more };
      return { status: "ask", errorType: limitErrorTypes[limit], request };
    },
  };
  return budget;
}

export function limitActionOf(onLimit: Limits["onLimit"], limit: LimitName): LimitAction {
  return typeof onLimit === "string" ? onLimit : (onLimit[limit] ?? "end");
}
