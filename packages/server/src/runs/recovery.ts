/**
 * Runs of nodes whose lease expired: searched periodically, taken over, and, if their agent is configured so, resumed.
 * Their readers, here or elsewhere, see the closings and what follows in the log.
 */
import {
  ConfigurationError,
  RunNotContinuableError,
  SessionLockedError,
} from "@callboard/agent-sdk";
import { interruptionEndingOf } from "@callboard/agent-sdk/sessions";
import { evolve, initialState } from "@callboard/run-log";
import { hasQuestion } from "@callboard/run-log/writing";
import { HttpProblem } from "../http/problem.js";
import type { ServerParts } from "../parts.js";
import type { DueRun, OrphanRun, ParkedRun, RunStore } from "../stores/runStore.js";
import { leftQueueOf } from "./carriedMessages.js";
import type { LeftQueues } from "./leftQueue.js";
import { queuedAsksIn } from "./queueCommands.js";
import { ToolNameTakenError } from "./refusals.js";
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
      | "queuedAsks"
      | "read"
      | "readSetup"
      | "sessions"
    >;
    readonly leftQueues: LeftQueues;
    readonly host: Pick<RunHost, "resumeRun" | "wake" | "cancel" | "overIn">;
  };

/** How often each run could not be resumed. */
type Attempts = Map<string, number>;

export function startRecovery(parts: RecoveryParts, sweepMs: number): Recovery {
  const { store, clock, logger, metrics } = parts;
  const closing = new AbortController();
  const failed: Attempts = new Map();

  async function sweep(): Promise<void> {
    const orphans = await store.claimOrphans();
    metrics.add("callboard_runs_taken_over_total", {}, orphans.length);
    // Together: one whose conversation this node still lets go of does not hold up the others.
    const open = orphans.filter(({ status }) => status === "open");
    await Promise.all(open.map((run) => resumeRun(parts, run, failed)));
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

/** A run with an expired question continues with that, and a cancelled one ends. */
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

/** Starts the run of messages that waited when a run ended, and that its node did not start. */
async function carryOn({ store, leftQueues }: RecoveryParts, run: ParkedRun): Promise<void> {
  const asks = queuedAsksIn(await store.queuedAsks.read(run.conversationId));
  const left = leftQueueOf(run, await wholeLog(store, run.runId), asks);
  await (left ? leftQueues.begin(left) : store.settleCarrying(run.runId));
}

/** How often a run is taken up that fails for a reason that may pass, such as a connection that broke. */
const mostAttempts = 10;

/**
 * A run that cannot be resumed is closed like any other that its node left open. A transient failure is not a reason: a
 * call may be allowed and not started, and must still run. The run is then released for the next sweep of any node.
 */
async function resumeRun(parts: RecoveryParts, run: OrphanRun, failed: Attempts): Promise<void> {
  const { host, logger } = parts;
  const { runId, conversationId } = run;
  try {
    const beginning = await beginningOf(parts, run);
    // A node that lost its run and takes it over again may still hold the session of its first attempt.
    await host.overIn(conversationId);
    await host.resumeRun(beginning);
    failed.delete(runId);
    logger.info("Resumed a run whose node stopped responding.", { runId });
  } catch (error) {
    if (error instanceof HttpProblem && error.kind === "shutting-down") {
      logger.info("Shutting down; left an orphaned run to another node.", { runId });
      return;
    }
    if (error instanceof HttpProblem && error.kind === "too-many-runs") {
      logger.info("This node has too many runs; left an orphaned run for later.", { runId });
      return letGo(parts, run);
    }
    const attempts = (failed.get(runId) ?? 0) + 1;
    failed.set(runId, attempts);
    if (!isLasting(error) && (attempts < mostAttempts || isOfRival(error))) {
      const fields = { runId, attempts, error };
      logger.warn("Resuming a run failed; left it for the next sweep of any node.", fields);
      return letGo(parts, run);
    }
    failed.delete(runId);
    logger.error(
      "Could not resume a run whose node stopped responding; closing it as interrupted.",
      { runId, error },
    );
    await end(parts, run);
  }
}

/** Whether a retry cannot help before the configuration of the server changes. */
function isLasting(error: unknown): boolean {
  return (
    (error instanceof HttpProblem && error.status < 500 && !isOfRival(error)) ||
    error instanceof ToolNameTakenError ||
    error instanceof ConfigurationError ||
    error instanceof RunNotContinuableError
  );
}

/** Gives a run free that this node has taken over. Another node may have it by now. */
async function letGo({ store }: RecoveryParts, run: OrphanRun): Promise<void> {
  try {
    const sessions = store.sessions({ userId: run.userId });
    const session = await sessions.open(run.conversationId, { keepRunsOpen: true });
    await session.close();
  } catch (error) {
    if (!(error instanceof SessionLockedError) && !isOfRival(error)) throw error;
  }
}

/** Ends a run that cannot be resumed, with its open calls. */
async function end({ store, clock }: RecoveryParts, run: OrphanRun): Promise<void> {
  const session = await store.sessions({ userId: run.userId }).open(run.conversationId);
  try {
    const runId = (await session.runIds()).find((id) => id === run.runId);
    if (runId === undefined) return;
    const log = await session.read(runId, { after: 0 });
    const state = log.reduce(evolve, initialState);
    const closings = hasQuestion(state)
      ? []
      : interruptionEndingOf(state, log.at(-1)?.at ?? clock.now());
    await session.append(runId, log.length, closings);
  } finally {
    await session.close();
  }
}
