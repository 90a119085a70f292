/**
 * Several nodes in one process, on a simulated clock, network, database and model: crashes, partitions, slow and
 * lost answers, late and doubled notifications, cancels and takeovers. A seed gives the same history every time.
 */
import { playScenario } from "./simulation/scenario.js";
import type { CaseReport, TorturePart } from "./torturePart.js";

export const simulationTorture: TorturePart = {
  name: "simulation",
  promise:
    "two or three nodes in a simulated world: after every step the log keeps its laws, one writer owns a run, no effect happens twice, and in the end every run has its end and every reader the whole log",
  fullCount: 50_000,
  quickCount: 4,
  inProcesses: true,
  tryCase: trySimulation,
};

async function trySimulation(seed: number): Promise<CaseReport> {
  const keepsHistory = process.env.SEED !== undefined;
  const { failure, hash, history, figures } = await playScenario(seed, { keepsHistory });
  if (keepsHistory) console.error(`${history.join("\n")}\ntrace ${hash}`);
  const told = failure === undefined ? undefined : `${failure}\n${history.join("\n")}`;
  return { failure: told, figures };
}
