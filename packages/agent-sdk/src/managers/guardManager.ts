/**
 * The guards of an agent's runs: repetition, loops, calls, calls a minute, cost, depth, turns, time.
 * A guard first tells the model what to do instead, and ends the run when the model goes on. It
 * keeps state and asks the clock; it never runs, delays or cancels anything itself.
 *
 *   startRun (→ resumeRun) → startTurn → check → (the call runs) → recordResult → … → endRun;  spend at any time
 */
import type { JsonValue, ToolType } from "@callboard/run-log";
import type { Clock } from "../types/clock.js";
import type { Limits } from "../types/limits.js";
import type { GuardedPast } from "../utils/guardedPast.js";
import {
  type CallHistory,
  createCallHistory,
  type Entry,
  entryOf,
  type GuardedResult,
} from "./guardManager/callHistory.js";
import {
  createWarnings,
  type GuardVerdict,
  guardErrorTypes,
  type Warnings,
} from "./guardManager/warnings.js";

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
  /** The run began in another process: its turns, calls, warnings and time are counted from its log. */
  resumeRun(runId: string, past: GuardedPast): void;
  /** A warning here is for the model to read before its next answer. */
  startTurn(runId: string): GuardVerdict;
  /** Asked for each call about to run. A call that does not pass is not run and not recorded. */
  check(call: GuardedCall): GuardVerdict;
  recordResult(call: GuardedCall, result: GuardedResult): void;
  spend(runId: string, costUsd: number): void;
  /** Something cost nobody knows how much. True when that breaks a budget and was not told yet. */
  missCost(runId: string): boolean;
  endRun(runId: string): void;
}

interface Run {
  readonly parent: Run | undefined;
  readonly depth: number;
  startedAt: number;
  readonly history: CallHistory;
  readonly warnings: Warnings;
  turns: number;
  calls: number;
  costUsd: number;
  hasMissedCost: boolean;
}

const minuteMs = 60_000;

export function createGuardManager(
  limits: GuardLimits,
  { clock }: { readonly clock: Clock },
): GuardManager {
  const runs = new Map<string, Run>();
  const callTimes: number[] = [];

  function runOf(runId: string, parentRunId?: string): Run {
    const known = runs.get(runId);
    if (known !== undefined) return known;
    const parent = parentRunId === undefined ? undefined : runOf(parentRunId);
    const run: Run = {
      parent,
      depth: parent === undefined ? 0 : parent.depth + 1,
      startedAt: clock.now(),
      history: createCallHistory(),
      warnings: createWarnings(),
      turns: 0,
      calls: 0,
      costUsd: 0,
      hasMissedCost: false,
    };
    runs.set(runId, run);
    return run;
  }

  function resumeRun(runId: string, past: GuardedPast): void {
    const run = runOf(runId);
    const now = clock.now();
    run.startedAt = now - past.elapsedMs;
    for (const { toolName, input, isOwn, turn, at, errorType, output } of past.calls) {
      const guard = guardErrorTypes.find((one) => one === errorType);
      if (guard !== undefined) {
        if (isOwn) run.warnings.violate(guard, turn, output);
        continue;
      }
      // Whoever called a tool that does not exist was not asked by a guard.
      if (errorType === "unknown_tool") continue;
      run.calls += 1;
      if (at > now - minuteMs) callTimes.push(at);
      if (!isOwn) continue;
      run.history.add(entryOf(toolName, input));
      run.history.answer(toolName, input, { isError: errorType !== undefined, output });
      run.warnings.pass();
    }
    callTimes.sort((one, other) => one - other);
    run.turns = past.turns.get(undefined) ?? 0;
  }

  function check(call: GuardedCall): GuardVerdict {
    const run = runOf(call.runId);
    const entry = entryOf(call.toolName, call.input);
    const violation =
      budgetOf(run, run.warnings.violate) ??
      callsOf(run) ??
      depthOf(run, call) ??
      loopOf(run, entry) ??
      rateOf(run);
    if (violation !== undefined) return violation;
    for (const one of lineage(run)) one.calls += 1;
    callTimes.push(clock.now());
    run.history.add(entry);
    run.warnings.pass();
    return { status: "pass" };
  }

  /** Time and money, of this run and of those it works for. */
  function budgetOf(run: Run, violate: Warnings["violate"]): GuardVerdict | undefined {
    const { maxCostUsd, maxRunMs } = limits;
    const spent = Math.max(...lineage(run).map((one) => one.costUsd));
    if (maxCostUsd !== undefined && spent >= maxCostUsd) {
      return violate(
        "cost_budget",
        run.turns,
        `The budget of $${maxCostUsd} is spent ($${spent.toFixed(4)}). Make no more calls: answer with what you have.`,
      );
    }
    if (maxRunMs !== undefined && clock.now() - run.startedAt >= maxRunMs) {
      return violate(
        "run_time",
        run.turns,
        `The time of ${maxRunMs / 1_000} s is over. Make no more calls: answer with what you have.`,
      );
    }
    return undefined;
  }

  function callsOf(run: Run): GuardVerdict | undefined {
    if (lineage(run).every((one) => one.calls < limits.maxCalls)) return undefined;
    return run.warnings.violate(
      "call_limit",
      run.turns,
      `All ${limits.maxCalls} calls of this run are made. Make no more calls: answer with what you have.`,
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
    const now = clock.now();
    while (callTimes.length > 0 && (callTimes[0] ?? now) <= now - minuteMs) callTimes.shift();
    if (callTimes.length < limits.maxCallsPerMinute) return undefined;
    const waitS = Math.ceil(((callTimes[0] ?? now) + minuteMs - now) / 1_000);
    return run.warnings.violate(
      "rate_limit",
      run.turns,
      `${limits.maxCallsPerMinute} calls were made within a minute; the next may come in ${waitS} s. Make fewer calls that each do more.`,
    );
  }

  function startTurn(runId: string): GuardVerdict {
    const run = runOf(runId);
    run.turns += 1;
    if (run.turns > limits.maxTurns) {
      const reason = `The run used all of its ${limits.maxTurns} turns.`;
      return { status: "stop", errorType: "turn_limit", reason };
    }
    const overBudget = budgetOf(run, run.warnings.violateBefore);
    if (overBudget !== undefined) return overBudget;
    if (run.turns < limits.maxTurns || limits.maxTurns === 1) return { status: "pass" };
    const message = `This is turn ${run.turns} of ${limits.maxTurns}, the last. Make no more calls: answer with what you have.`;
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
      for (const run of lineage(runOf(runId))) run.costUsd += costUsd;
    },
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
