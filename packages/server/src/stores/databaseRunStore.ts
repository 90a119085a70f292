/** The server's runs in the database: what it needs, by the names of the store. */
import { runId as runIdOf } from "@callboard/run-log";
import type { Store } from "@callboard/store";
import type { RunStore } from "./runStore.js";

export function createDatabaseRunStore(store: Store): RunStore {
  const { conversations, runs, read } = store;
  return {
    sessions: ({ userId }, options) => store.sessions({ userId, ...options }),
    findRun: runs.find,
    accessOf: conversations.accessOf,
    visibleConversations: conversations.visible,
    hasConversation: conversations.exists,
    listRuns: runs.list,
    runsInOrder: runs.inOrder,
    read: (runId, range) => read.events({ as: "service", runId, ...range }),
    outline: (runId) => read.outline({ as: "service", runId }),
    callOutput: ({ userId }, runId, callId) => read.callOutput({ as: { userId }, runId, callId }),
    keptOutputs: store.keptOutputs,
    queuedAsks: store.queuedAsks,
    messagePosition: conversations.messagePosition,
    runOfMessage: conversations.runOfMessage,
    tail: (runId, range) => store.tail(runIdOf(runId), range),
    lastSeqs: runs.lastSeqs,
    async askToCancel(runId) {
      await store.cancel(runId);
    },
    onCancelRequested: store.onCancelRequested,
    onLost: store.onLost,
    onPurged: store.onPurged,
    claimOrphans: () => store.claimOrphans(),
    findParked: store.findParked,
    dueRuns: () => store.dueRuns(),
    claimCarrying: () => store.claimCarrying(),
    settleCarrying: store.settleCarrying,
    readSetup: conversations.readSetup,
  };
}
