/**
 * Stops at random moments of runs in memory: the message, its signal, one call, the whole agent. A case
 * needs nothing but our own code and a clock that hurries, so its seed replays it exactly.
 */
import { performanceFaultsOf } from "./abort/claims.js";
import { type Performance, performed } from "./abort/performance.js";
import type { CaseReport, TorturePart } from "./torturePart.js";

export const abortTorture: TorturePart = {
  name: "abort",
  promise:
    "stops at random moments: one end for each call, nothing after the run is closed, the model's signal fires once, the queue goes on",
  fullCount: 10_000,
  quickCount: 30,
  tryCase: tryAbort,
};

const patienceMs = 30_000;

async function tryAbort(seed: number): Promise<CaseReport> {
  let timer: NodeJS.Timeout | undefined;
  const hanging = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it hangs")), patienceMs);
  });
  try {
    return performanceReportOf(await Promise.race([struckPerformance(seed), hanging]));
  } finally {
    clearTimeout(timer);
  }
}

/** A moment after the end of everything is folded back; without tools there is another. */
async function struckPerformance(seed: number): Promise<Performance> {
  const first = await performed(seed);
  if (first.strike) return first;
  const { where, at } = first.script;
  if (first.moments > 0) return performed(seed, { where, at: at % first.moments });
  return performed(seed, { where: "anywhere", at });
}

function performanceReportOf(performance: Performance): CaseReport {
  const { script, strike } = performance;
  const faults = performanceFaultsOf(performance);
  const isHit = strike !== undefined;
  return {
    failure: faults.length === 0 ? undefined : `${script.strike}: ${faults.join("\n")}`,
    figures: {
      stops: Number(isHit && script.strike !== "cancelCall"),
      "cancelled calls": Number(strike?.cancelled?.answer ?? false),
      "open requests": strike?.openRequests.length ?? 0,
      "running tools": strike?.runningTools.length ?? 0,
    },
  };
}
