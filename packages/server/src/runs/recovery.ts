/**
 * Runs of nodes that died: looked for now and then, taken over, and, where their agent says so, gone on
 * with. Their readers, here or elsewhere, see the closings and what follows in the log.
 */
import { RunNotContinuableError } from "@callboard/agent-sdk";
import { endingOf } from "@callboard/agent-sdk/sessions";
import { evolve, hasQuestion, initialState } from "@callboard/run-log";
import { HttpProblem } from "../http/problem.js";
import type { ServerParts } from "../parts.js";
import type { DueRun, OrphanRun, ParkedRun, RunStore } from "../stores/runStore.js";
import { leftQueueOf } from "./carriedMessages.js";
import type { LeftQueues } from "./leftQueue.js";
import type { RunHost } from "./runHost.js";
import { wholeLog } from "./runWatch.js";
import { isOfRival } from "./startRun.js";
import { beginningOf, type WakingParts } from "./waking.js";

export interface Recovery {
  /** Looks at once; resolves when what was found is taken over. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** What recovery needs of a server. */
export type RecoveryParts = Pick<ServerParts, "clock" | "logger" | "metrics"> &
  Omit<WakingParts, "host" | "store"> & {
    readonly store: Pick<
      RunStore,
      | "claimOrphans"
      | "claimCarrying"
      | "settleCarrying"
      | "dueRuns"
      | "findParked"
      | "read"
      | "readSetup"
      | "sessions"
    >;
    readonly leftQueues: LeftQueues;
    readonly host: Pick<RunHost, "resumeRun" | "wake" | "cancel" | "overIn">;
  };

export function startRecovery(parts: RecoveryParts, sweepMs: number): Recovery {
  const { store, clock, logger, metrics } = parts;
  const closing = new AbortController();

  async function sweep(): Promise<void> {
    const orphans = await store.claimOrphans();
    metrics.add("callboard_runs_taken_over_total", {}, orphans.length);
    // Together: one whose conversation this node still lets go of does not hold up the others.
    const open = orphans.filter(({ status }) => status === "open");
    await Promise.all(open.map((run) => resumeRun(parts, run)));
    for (const run of await store.dueRuns()) await expire(parts, run);
    for (const run of await store.claimCarrying()) await carryOn(parts, run);
  }

  async function repeat(): Promise<void> {
    for (;;) {
      await clock.sleep(sweepMs, closing.signal);
      if (closing.signal.aborted) return;
      try {
        await sweep();
      } catch (error) {
        logger.warn("Search for orphaned runs failed; retrying at the next sweep.", { error });
      }
    }
  }

  const over = repeat();
  return {
    sweep,
    async close() {
      closing.abort();
      await over;
    },
  };
}

/** A run of which a question expired goes on with that, and one that is to be cancelled ends. */
async function expire(parts: RecoveryParts, run: DueRun): Promise<void> {
  const { runId } = run;
  try {
    const letGo = await parts.host.wake(await beginningOf(parts, run));
    if (run.isCancelAsked) parts.host.cancel(runId, undefined, "cancelled by the user");
    letGo();
  } catch (error) {
    if (error instanceof RunNotContinuableError || isOfRival(error)) return;
    parts.logger.error("Could not resume a run of which a question expired; it stays parked.", {
      runId,
      error,
    });
  }
}

/** Begins the run of messages that waited when a run ended, and whose node did not begin it. */
async function carryOn({ store, leftQueues }: RecoveryParts, run: ParkedRun): Promise<void> {
  const left = leftQueueOf(run, await wholeLog(store, run.runId));
  await (left ? leftQueues.begin(left) : store.settleCarrying(run.runId));
}

/** A run that cannot be gone on with is closed like any other that its node left open. */
async function resumeRun(parts: RecoveryParts, run: OrphanRun): Promise<void> {
  const { store, host, logger } = parts;
  const { runId, conversationId, userId } = run;
  try {
    const beginning = await beginningOf(parts, run);
    // A node that lost its run and takes it over again may still hold the session of its first attempt.
    await host.overIn(conversationId);
    await host.resumeRun(beginning);
    logger.info("Resumed a run whose node stopped responding.", { runId });
  } catch (error) {
    if (error instanceof HttpProblem && error.kind === "shutting-down") {
      logger.info("Shutting down; left an orphaned run to another node.", { runId });
      return;
    }
    if (error instanceof HttpProblem && error.kind === "too-many-runs") {
      logger.info("This node has too many runs; left an orphaned run for later.", { runId });
      const session = await store.sessions({ userId }).open(conversationId, { keepRunsOpen: true });
      await session.close();
      return;
    }
    logger.error(
      "Could not resume a run whose node stopped responding; closing it as interrupted.",
      { runId, error },
    );
    await end(parts, run);
  }
}

/** Ends a run that nobody can go on with, and what of it was still to be done. */
async function end({ store, clock }: RecoveryParts, run: OrphanRun): Promise<void> {
  const session = await store.sessions({ userId: run.userId }).open(run.conversationId);
  try {
    const runId = (await session.runIds()).find((id) => id === run.runId);
    if (runId === undefined) return;
    const log = await session.read(runId, { after: 0 });
    const state = log.reduce(evolve, initialState);
    const closings = hasQuestion(state) ? [] : endingOf(state, log.at(-1)?.at ?? clock.now());
    await session.append(runId, log.length, closings);
  } finally {
    await session.close();
  }
}
