/** A model under guard, for tests: one call in each turn, at a fixed time. */
import type { JsonObject } from "@callboard/run-log";
import { createFakeClock, type FakeClock } from "../../../system/fakeClock.js";
import { defaultLimits } from "../../../utils/defaultLimits.js";
import { createGuardManager, type GuardLimits, type GuardManager } from "../guardManager.js";
import type { GuardVerdict } from "../warnings.js";

export const runId = "run";

interface Driven {
  readonly clock: FakeClock;
  readonly guards: GuardManager;
  readonly call: (
    toolName: string,
    input: JsonObject,
    output?: string,
    isError?: boolean,
  ) => GuardVerdict;
}

/** A model that makes one call in each turn. */
export const driven = (changed: Partial<GuardLimits> = {}): Driven => {
  const clock = createFakeClock();
  const guards = createGuardManager({ ...defaultLimits, ...changed }, { clock });
  guards.startRun(runId);
  const call = (
    toolName: string,
    input: JsonObject,
    output = "ok",
    isError = false,
  ): GuardVerdict => {
    guards.startTurn(runId);
    const verdict = guards.check({ runId, toolName, input });
    if (verdict.status === "pass") {
      guards.recordResult({ runId, toolName, input }, { output, isError });
    }
    return verdict;
  };
  return { clock, guards, call };
};

export const verdictText = (verdict: GuardVerdict): string =>
  verdict.status === "pass" ? "pass" : `${verdict.status} ${verdict.errorType}`;
