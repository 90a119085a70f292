/**
 * Runs of nodes that died: looked for now and then, taken over, and, where their agent says so, gone on
 * with. Their readers, here or elsewhere, see the closings and what follows in the log.
 */

import { overridesSchema } from "@callboard/run-log/http";
import { HttpProblem } from "../http/problem.js";
import type { ServerParts } from "../parts.js";
import type { OrphanRun, RunStore } from "../stores/runStore.js";
import type { RunHost } from "./runHost.js";
import { agentOptionsFor } from "./servedAgent.js";

export interface Recovery {
  /** Looks at once; resolves when what was found is taken over. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

/** What recovery needs of a server. */
export type RecoveryParts = Pick<
  ServerParts,
  "directory" | "builtinTools" | "clock" | "logger" | "metrics"
> & {
  readonly store: Pick<RunStore, "claimOrphans" | "readSetup" | "sessions">;
  readonly host: Pick<RunHost, "goOn" | "overIn">;
};

export function startRecovery(parts: RecoveryParts, sweepMs: number): Recovery {
  const { store, clock, logger, metrics } = parts;
  const closing = new AbortController();

  async function sweep(): Promise<void> {
    const orphans = await store.claimOrphans();
    metrics.add("callboard_runs_taken_over_total", {}, orphans.length);
    // Together: one whose conversation this node still lets go of does not hold up the others.
    const open = orphans.filter(({ status }) => status === "open");
    await Promise.all(open.map((run) => goOn(parts, run)));
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

/** A run that cannot be gone on with is closed like any other that its node left open. */
async function goOn(parts: RecoveryParts, run: OrphanRun): Promise<void> {
  const { store, host, directory, builtinTools, logger } = parts;
  const { runId, conversationId, userId } = run;
  try {
    const setup = await store.readSetup(conversationId);
    const { agent } = directory.find(setup?.agentName);
    const overrides = overridesSchema.parse(setup?.overrides ?? {});
    const options = agentOptionsFor(agent, overrides, setup?.variables ?? {}, [], () =>
      builtinTools(agent, { userId }),
    );
    const share = { owner: userId, clientTools: 0 };
    // A node that lost its run and takes it over again may still hold the session of its first attempt.
    await host.overIn(conversationId);
    await host.goOn({ runId, conversationId, user: { userId }, options, share });
    logger.info("Resumed a run whose node stopped responding.", { runId });
  } catch (error) {
    if (error instanceof HttpProblem && error.kind === "shutting-down") {
      logger.info("Shutting down; left an orphaned run to another node.", { runId });
      return;
    }
    logger.error(
      "Could not resume a run whose node stopped responding; closing it as interrupted.",
      { runId, error },
    );
    const session = await store.sessions({ userId }).open(conversationId);
    await session.close();
  }
}
