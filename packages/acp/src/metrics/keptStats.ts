/**
 * Stores a process's metrics under its home while it runs: at a bounded pace, only when they changed, and at its end. A
 * failed write is logged once; nothing waits for it.
 */
import { randomUUID } from "node:crypto";
import type { Clock, Logger } from "@callboard/agent-sdk";
import { totalOf, type UpdateStats } from "../updates/updateStats.js";
import { foldFinished, makeStatsFolder, writeStats } from "./statsFolder.js";

export interface KeptStats {
  /** Writes the last metrics and adds them to the total. */
  close(): Promise<void>;
}

export interface KeptStatsOptions {
  readonly home: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stats: () => UpdateStats;
  /** Default 2 s. */
  readonly everyMs?: number;
}

export function keepStats(options: KeptStatsOptions): KeptStats {
  const { home, clock, logger, everyMs = 2_000 } = options;
  const name = `${process.pid}-${randomUUID()}.json`;
  const over = new AbortController();
  let written = 0;
  let isTold = false;

  /** A line is the least that can change. */
  async function write(isFinished: boolean): Promise<void> {
    const stats = options.stats();
    const lines = totalOf(stats.updates) + stats.offered;
    if (lines === 0 || (lines === written && !isFinished)) return;
    await writeStats(home, name, stats, isFinished);
    written = lines;
  }

  async function told(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isTold) logger.warn("Saving the metrics of ACP updates failed.", { home, error });
      isTold = true;
    }
  }

  async function keep(): Promise<void> {
    await told(() => makeStatsFolder(home));
    await told(() => foldFinished(home, clock.now()));
    while (!over.signal.aborted) {
      await clock.sleep(everyMs, over.signal);
      if (!over.signal.aborted) await told(() => write(false));
    }
  }
  const keeping = keep();

  return {
    async close() {
      over.abort();
      await keeping;
      await told(() => write(true));
      await told(() => foldFinished(home, clock.now()));
    },
  };
}
