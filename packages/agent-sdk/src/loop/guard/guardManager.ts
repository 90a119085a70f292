/**
 * The guards of an agent's runs: repetition, loops, calls, calls a minute, cost, depth, turns, time.
 * A guard first tells the model what to do instead, and ends the run if the model does not comply. It
 * keeps state and reads the clock; it never runs, delays or cancels anything itself. Turns, calls, cost and time
 * are one budget of a run and all agents that work for it; such a limit may ask a person for more.
 *
 * startRun (→ resumeRun) → startTurn → check → (the call runs) → recordResult → … → endRun;  spend at any time
 */
import type { JsonValue, ToolType } from "@callboard/run-log";
import type { LimitName } from "@callboard/run-log/asking";
import type { Clock } from "../../types/clock.js";
import type { Limits } from "../../types/limits.js";
import type { GuardedPast } from "../guardedPast.js";
import {
  type CallHistory,
  createCallHistory,
  type Entry,
  type GuardedResult,
  historyEntryOf,
} from "./callHistory.js";
import { createRunBudget, type RunBudget } from "./runBudget.js";
import { createWarnings, type GuardVerdict, guardErrorTypes, type Warnings } from "./warnings.js";

export type GuardLimits = Pick<
  Limits,
  | "maxTurns"
  | "maxCalls"
  | "maxCallsPerMinute"
  | "maxCostUsd"
  | "maxDepth"
  | "maxIdenticalCalls"
  | "maxSimilarCalls"
  | "maxRunMs"
  | "onLimit"
  | "ceiling"
>;

export interface GuardedCall {
  readonly runId: string;
  readonly toolName: string;
  readonly input: JsonValue;
  /** `agent` marks a call that delegates to an agent. */
  readonly toolType?: ToolType;
}

export interface GuardManager {
  /** A nested run names its parent: its calls and its cost count for both. */
  startRun(runId: string, parentRunId?: string): GuardVerdict;
  /**
   * Counts what the run did in another process from its log: its turns, calls, warnings and grants. `elapsed` returns
   * the seconds of work since its start.
   */
  resumeRun(runId: string, past: GuardedPast, elapsed?: () => number): void;
  /** A warning here is for the model to read before its next answer. */
  startTurn(runId: string): GuardVerdict;
  /** Asked for each call about to run. A call that does not pass is not run and not recorded. */
  check(call: GuardedCall): GuardVerdict;
  recordResult(call: GuardedCall, result: GuardedResult): void;
  spend(runId: string, costUsd: number): void;
  /** A person allowed more: the whole tree of the run may use it. */
  grant(runId: string, limit: LimitName, more: number): void;
  /** A person refused more: from now on the limit ends the run. */
  deny(runId: string, limit: LimitName): void;
  /** Something had an unknown cost. True if that makes a budget unenforceable and was not reported yet. */
  missCost(runId: string): boolean;
  endRun(runId: string): void;
}

interface Run {
  readonly parent: Run | undefined;
  readonly depth: number;
  /** Shared with the run that it works for. */
  readonly budget: RunBudget;
  readonly history: CallHistory;
  readonly warnings: Warnings;
  /** Its own, without those of nested runs. */
  turns: number;
  hasMissedCost: boolean;
}

const minuteMs = 60_000;

export function createGuardManager(
  limits: GuardLimits,
  { clock, canAsk = true }: { readonly clock: Clock; readonly canAsk?: boolean },
): GuardManager {
  const runs = new Map<string, Run>();
  const callTimes: number[] = [];

  function runOf(runId: string, parentRunId?: string): Run {
    const known = runs.get(runId);
    if (known !== undefined) return known;
    const parent = parentRunId === undefined ? undefined : runOf(parentRunId);
    const startedAt = clock.monotonic();
    const elapsed = (): number => (clock.monotonic() - startedAt) / 1_000;
    const run: Run = {
      parent,
      depth: parent === undefined ? 0 : parent.depth + 1,
      budget: parent?.budget ?? createRunBudget(limits, { canAsk, elapsed }),
      history: createCallHistory(),
      warnings: createWarnings(),
      turns: 0,
      hasMissedCost: false,
    };
    runs.set(runId, run);
    return run;
  }

  function resumeRun(runId: string, past: GuardedPast, elapsed?: () => number): void {
    const run = runOf(runId);
    const { budget } = run;
    const now = clock.now();
    const resumedAt = clock.monotonic();
    budget.elapsed = elapsed ?? (() => (past.elapsedMs + clock.monotonic() - resumedAt) / 1_000);
    for (const { limit, more } of past.granted) budget.grant(limit, more);
    for (const limit of past.denied) budget.deny(limit);
    for (const { toolName, input, isOwn, turn, at, errorType, output } of past.calls) {
      const guard = guardErrorTypes.find((one) => one === errorType);
      if (guard !== undefined) {
        if (isOwn) run.warnings.violate(guard, turn, output);
        continue;
      }
      // A call of a tool that does not exist was not checked by a guard.
      if (errorType === "unknown_tool") continue;
      budget.used.calls += 1;
      if (at > now - minuteMs) callTimes.push(resumedAt - Math.max(0, now - at));
      if (!isOwn) continue;
      run.history.add(historyEntryOf(toolName, input));
      run.history.answer(toolName, input, { isError: errorType !== undefined, output });
      run.warnings.pass();
    }
    callTimes.sort((one, other) => one - other);
    run.turns = past.turns.get(undefined) ?? 0;
    for (const turns of past.turns.values()) budget.used.turns += turns;
  }

  function check(call: GuardedCall): GuardVerdict {
    const run = runOf(call.runId);
    const entry = historyEntryOf(call.toolName, call.input);
    const violation =
      budgetOf(run, run.warnings.violate) ??
      callsOf(run) ??
      depthOf(run, call) ??
      loopOf(run, entry) ??
      rateOf(run);
    if (violation !== undefined) return violation;
    run.budget.used.calls += 1;
    callTimes.push(clock.monotonic());
    run.history.add(entry);
    run.warnings.pass();
    return { status: "pass" };
  }

  /** Time and money, of this run and of those it works for. */
  function budgetOf(run: Run, violate: Warnings["violate"]): GuardVerdict | undefined {
    const { budget } = run;
    const cost = budget.allowed("cost");
    const spent = budget.used.cost;
    if (cost !== undefined && spent >= cost) {
      return (
        budget.question("cost") ??
        violate(
          "cost_budget",
          run.turns,
          `The budget of $${cost} is spent ($${spent.toFixed(4)}). Make no more calls: answer with what you have.`,
        )
      );
    }
    const time = budget.allowed("time");
    if (time !== undefined && budget.elapsed() >= time) {
      return (
        budget.question("time") ??
        violate(
          "run_time",
          run.turns,
          `The time of ${time} s is over. Make no more calls: answer with what you have.`,
        )
      );
    }
    return undefined;
  }

  function callsOf(run: Run): GuardVerdict | undefined {
    const { budget } = run;
    const calls = budget.allowed("calls") ?? 0;
    if (budget.used.calls < calls) return undefined;
    return (
      budget.question("calls") ??
      run.warnings.violate(
        "call_limit",
        run.turns,
        `All ${calls} calls of this run are made. Make no more calls: answer with what you have.`,
      )
    );
  }

  function depthOf(run: Run, call: GuardedCall): GuardVerdict | undefined {
    if (call.toolType !== "agent" || run.depth < limits.maxDepth) return undefined;
    return run.warnings.violate(
      "recursion_depth",
      run.turns,
      `Agents may delegate ${limits.maxDepth} deep and this one is at that depth. Do the work yourself with your other tools.`,
    );
  }

  function loopOf(run: Run, call: Entry): GuardVerdict | undefined {
    const inARow = run.history.identicalInARow(call);
    if (inARow >= limits.maxIdenticalCalls) {
      return run.warnings.violate(
        "repeated_call",
        run.turns,
        `${call.toolName} was just called with these very arguments ${limits.maxIdenticalCalls} times or more and the answer did not change. Use the answer you have, change the arguments, or try another way.`,
      );
    }
    const lately = Math.max(run.history.similarLately(call), run.history.identicalLately(call));
    if (lately < limits.maxSimilarCalls) return undefined;
    return run.warnings.violate(
      "loop_detected",
      run.turns,
      `${lately} of the last calls were ${call.toolName} with nearly these arguments and nearly one answer. This goes round in circles: stop, say what you know, and try something different.`,
    );
  }

  function rateOf(run: Run): GuardVerdict | undefined {
    const now = clock.monotonic();
    while (callTimes.length > 0 && (callTimes[0] ?? now) <= now - minuteMs) callTimes.shift();
    if (callTimes.length < limits.maxCallsPerMinute) return undefined;
    const waitS = Math.ceil(((callTimes[0] ?? now) + minuteMs - now) / 1_000);
    return run.warnings.violate(
      "rate_limit",
      run.turns,
      `${limits.maxCallsPerMinute} calls were made within a minute; the next may come in ${waitS} s. Make fewer calls that each do more.`,
    );
  }

  /**
   * Turns are counted over the tree of the run; a nested agent leaves each agent above it one answer. A limit that asks
   * does so when its turns are used, and not before: the model gets no warning of a last turn that may not be the last.
   * After a refusal the model gets one answer to end with, as with cost and time.
   */
  function startTurn(runId: string): GuardVerdict {
    const run = runOf(runId);
    const { budget } = run;
    const most = budget.allowed("turns") ?? 0;
    const last = most - run.depth;
    const turn = budget.used.turns + 1;
    const question = budget.question("turns");
    if (question !== undefined && turn > last) return question;
    const isRefused = budget.isDenied("turns");
    const isWarned = isRefused
      ? turn === last + 1
      : turn === last && most > 1 && question === undefined;
    if (turn > last && !isWarned) {
      const reason = `The run used all of its ${most} turns.`;
      return { status: "stop", errorType: "turn_limit", reason };
    }
    run.turns += 1;
    const overBudget = budgetOf(run, run.warnings.violateBefore);
    if (overBudget?.status === "ask") {
      run.turns -= 1;
      return overBudget;
    }
    budget.used.turns = turn;
    if (overBudget !== undefined) return overBudget;
    if (!isWarned) return { status: "pass" };
    const why = isRefused
      ? `All ${most} turns of this run are used, and no person allowed more.`
      : `This is turn ${turn} of ${most}, the last.`;
    const message = `${why} Make no more calls: answer with what you have.`;
    return { status: "warn", errorType: "turn_limit", message };
  }

  return {
    startRun(runId, parentRunId) {
      const run = runOf(runId, parentRunId);
      if (run.depth <= limits.maxDepth) return { status: "pass" };
      const reason = `Agents may delegate ${limits.maxDepth} deep; this run would be ${run.depth} deep.`;
      return { status: "stop", errorType: "recursion_depth", reason };
    },
    resumeRun,
    startTurn,
    check,
    recordResult: (call, result) =>
      runOf(call.runId).history.answer(call.toolName, call.input, result),
    spend(runId, costUsd) {
      runOf(runId).budget.used.cost += costUsd;
    },
    grant: (runId, limit, more) => runOf(runId).budget.grant(limit, more),
    deny: (runId, limit) => runOf(runId).budget.deny(limit),
    missCost(runId) {
      const line = lineage(runOf(runId));
      const isNews = !line.some((run) => run.hasMissedCost);
      for (const run of line) run.hasMissedCost = true;
      return isNews && limits.maxCostUsd !== undefined;
    },
    endRun: (runId) => void runs.delete(runId),
  };
}

function lineage(run: Run): readonly Run[] {
  const line: Run[] = [];
  for (let one: Run | undefined = run; one !== undefined; one = one.parent) line.push(one);
  return line;
}
