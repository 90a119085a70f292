/**
 * Tries the cases of a part in processes of their own, one for each core. A process is replaced after some hundred
 * cases: a case that drops whole nodes in the middle of their work leaves memory behind that only the end of its
 * process frees.
 */
import { type ChildProcess, fork } from "node:child_process";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import type { CaseReport, TorturePart } from "./torturePart.js";

const casesOfProcess = 400;

const reportSchema = z.object({
  failure: z.string().optional(),
  figures: z.record(z.string(), z.number()),
});

interface Helper {
  readonly child: ChildProcess;
  cases: number;
}

/** The part with its cases in other processes. `close` ends those that wait. */
export function inProcesses(part: TorturePart): TorturePart & { close(): void } {
  const idle: Helper[] = [];

  async function tryCase(seed: number): Promise<CaseReport> {
    const helper = idle.pop() ?? { child: startHelper(part.name), cases: 0 };
    try {
      const report = await childReportOf(helper.child, seed);
      helper.cases += 1;
      if (helper.cases < casesOfProcess) idle.push(helper);
      else helper.child.kill();
      return report;
    } catch (error) {
      helper.child.kill();
      throw error;
    }
  }

  return {
    ...part,
    concurrency: availableParallelism(),
    tryCase,
    close() {
      for (const { child } of idle.splice(0)) child.kill();
    },
  };
}

function startHelper(partName: string): ChildProcess {
  return fork(fileURLToPath(new URL("./cases-cli.js", import.meta.url)), [partName]);
}

function childReportOf(child: ChildProcess, seed: number): Promise<CaseReport> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      child.off("message", onMessage);
      child.off("error", onError);
      child.off("exit", onExit);
    };
    const onMessage = (message: unknown): void => {
      settle();
      const { failure, figures } = reportSchema.parse(message);
      resolve({ failure, figures });
    };
    const onError = (error: Error): void => {
      settle();
      reject(error);
    };
    const onExit = (code: number | null, signal: string | null): void => {
      settle();
      reject(new Error(`The process ended with ${code === null ? signal : `code ${code}`}.`));
    };
    child.on("message", onMessage);
    child.on("error", onError);
    child.on("exit", onExit);
    child.send(seed);
  });
}
