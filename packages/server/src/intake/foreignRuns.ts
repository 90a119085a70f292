/**
 * Runs of other agents in the server's store, as conversations of one user. Their ids are derived from the user's, so
 * that no stream can reach another user's conversation. Watchers receive them like our own.
 */
import type { Logger } from "@callboard/agent-sdk";
import { createForeignSessions, type ForeignSessions } from "@callboard/agent-sdk/sessions";
import type { Taken } from "@callboard/run-log/intake";
import { isUuid, nameUuid } from "@callboard/store";
import type { NodeBus } from "../live/nodeBus.js";
import type { RunStore, Viewer } from "../stores/runStore.js";

export interface ForeignRunsOptions {
  readonly store: Pick<RunStore, "sessions">;
  readonly bus: Pick<NodeBus, "publish">;
  readonly logger: Logger;
  readonly user: Viewer;
  /** Ids that are UUIDs already are kept: for sessions that the user's own programs wrote. */
  readonly keepsUuids?: boolean;
}

export interface ForeignRuns extends ForeignSessions {
  /** The id of a foreign session or run in the store. */
  idOf(id: string): string;
}

export function createForeignRuns(options: ForeignRunsOptions): ForeignRuns {
  const { store, bus, logger, user, keepsUuids = false } = options;
  const idOf = (id: string): string => (keepsUuids && isUuid(id) ? id : nameUuid(user.userId, id));
  const sessions = createForeignSessions({
    sessions: store.sessions(user),
    idOf,
    isCopy: true,
    onLate: (late) =>
      logger.warn("Events of another program came after their run was closed; not kept.", late),
  });

  async function announce(taken: Taken): Promise<void> {
    for (const { events } of taken.sessions) {
      for (const event of events) {
        if (event.type !== "run.started") continue;
        const runId = idOf(event.runId);
        const conversationId = idOf(event.conversationId);
        const message = { type: "runStarted", runId, conversationId, userId: user.userId } as const;
        await bus.publish(message).catch((error: unknown) => {
          logger.warn(
            "Notifying other nodes of a recorded run failed; they find it in the database.",
            {
              runId,
              error,
            },
          );
        });
      }
    }
  }

  return {
    idOf,
    async take(taken) {
      await sessions.take(taken);
      await announce(taken);
    },
    release: (sessionId) => sessions.release(sessionId),
    close: () => sessions.close(),
  };
}
