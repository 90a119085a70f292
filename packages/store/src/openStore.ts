/** Opens the store: connects writing, reading, following and recovery; each has its own module. One for each process. */
import { randomUUID } from "node:crypto";
import type { LockHolder } from "@callboard/agent-sdk/sessions";
import { type LogStore, runId as runIdOf } from "@callboard/run-log";
import { sql } from "kysely";
import { writeBackup } from "./administration/backup.js";
import { purge } from "./administration/purge.js";
import { startRetentionKeeper } from "./administration/retentionKeeper.js";
import type { Database } from "./connections/database.js";
import { hasAccount } from "./conversations/accounts.js";
import { createAnswerLinks } from "./conversations/answerLinks.js";
import { createConversationStore } from "./conversations/conversationStore.js";
import { forkConversation } from "./conversations/fork.js";
import { createQueuedAsks } from "./conversations/queuedAsks.js";
import { createShareLinks } from "./conversations/shareLinks.js";
import { createSharing } from "./conversations/sharing.js";
import { StoreClosedError } from "./errors.js";
import { assertUuid } from "./ids.js";
import { askToCancel } from "./leases/cancelling.js";
import { startLeaseKeeper } from "./leases/leaseKeeper.js";
import { createRecovery } from "./leases/recovery.js";
import { runInTime } from "./leases/renewal.js";
import { claimRun } from "./leases/takeover.js";
import { createKeptListeners, createListeners } from "./listeners.js";
import { createFeed } from "./live/feed.js";
import { startNodeNotifications } from "./live/nodeNotifications.js";
import {
  createNotificationPayloads,
  type NotificationPayloads,
} from "./live/notificationPayload.js";
import { createSealing, readNodeKey } from "./live/sealing.js";
import { openDatabase } from "./openDatabase.js";
import { createReaders } from "./reading/readers.js";
import { readEvents } from "./reading/runEvents.js";
import { readRunHead } from "./reading/runs.js";
import { createKeptOutputs } from "./runs/keptOutputs.js";
import { createNotices } from "./runs/notices.js";
import { createRunDirectory } from "./runs/runDirectory.js";
import { createSessionStore } from "./sessions/sessionStore.js";
import type { Store } from "./store.js";
import type { OpenedPlace, StoreOptions, StorePlace } from "./storeOptions.js";
import { createGroupCommit } from "./writing/groupCommit.js";
import { createRunLogs, type RunLogs } from "./writing/runLogs.js";

const defaultLeaseMs = 30_000;
const defaultDatabaseRetryMs = 20_000;
const defaultPollMs = 5_000;
const defaultOrphans = 100;
const tailPageEvents = 500;

export async function openStore(
  place: StorePlace | OpenedPlace,
  options: StoreOptions,
): Promise<Store> {
  const database = "database" in place ? place.database : await openDatabase(place, options);
  try {
    return await createStore(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
}

async function createStore(database: Database, options: StoreOptions): Promise<Store> {
  const { clock, logger, nodeId = randomUUID() } = options;
  const { db } = database;
  const sealing = createSealing(await readNodeKey(db));
  const news = database.kind === "server" ? createNotificationPayloads(nodeId, sealing) : undefined;
  const source = options.notificationSource?.(sealing);
  // Told by the source, a commit need not notify.
  const told: NotificationPayloads | undefined = source &&
    news && { ...news, moved: (runs) => (source.isReached() ? [] : news.moved(runs)) };
  const ownership = {
    owner: nodeId,
    leaseMs: options.leaseMs ?? defaultLeaseMs,
    news: told ?? news,
  };
  const databaseRetryMs = options.databaseRetryMs ?? defaultDatabaseRetryMs;
  const commit = createGroupCommit({ database, ownership, clock, logger, databaseRetryMs });
  const feed = createFeed({
    news: source && { source, isOwn: (runId) => logs.isHeld(runId), logger },
    readPage: (runId, after) => readEvents(db, runId, { after, limit: tailPageEvents }),
    readHead: (runId) => readRunHead(db, runId),
  });
  const logs: RunLogs = createRunLogs({
    db,
    owner: nodeId,
    commit,
    feed,
    claim: (runId) =>
      claimRun(
        {
          ...{ database, ownership, now: clock.now, monotonic: clock.monotonic },
          positionsOf: logs.positionsOf,
        },
        runId,
      ),
    monotonic: clock.monotonic,
    inTime: (run, since) => runInTime({ db, ownership, monotonic: clock.monotonic }, run, since),
  });
  const recovery = createRecovery({ database, ownership, clock, logger, logs, feed });
  const holders = new Map<string, LockHolder>();
  const cancelled = createListeners();
  const lost = createListeners();
  const deleted = createKeptListeners();
  const onDeleted = (conversationIds: readonly string[]): void => {
    for (const id of conversationIds) deleted.tell(id);
  };
  if (database.kind === "embedded") {
    await recovery.releaseEverything();
    const runs = await recovery.claimOrphans({ limit: Number.POSITIVE_INFINITY });
    await recovery.releaseRuns(runs.map(({ runId }) => runId));
  }
  const leases = startLeaseKeeper({
    db,
    ownership,
    clock,
    logger,
    held: logs.held,
    onLost(runId) {
      logs.drop(runId);
      feed.disowned(runIdOf(runId));
      lost.tell(runId);
    },
    onCancelRequested: cancelled.tell,
  });
  const onCancelRequested = (runId: string): void => {
    if (logs.isHeld(runId)) cancelled.tell(runId);
  };
  const pollMs = options.pollMs ?? defaultPollMs;
  const listening = startNodeNotifications({
    database,
    feed,
    clock,
    logger,
    pollMs,
    payloads: news,
    onCancelRequested,
  });
  const retention = startRetentionKeeper({
    database,
    retention: options.retention ?? {},
    onDeleted,
    clock,
    logger,
  });
  let closing: Promise<void> | undefined;

  function assertOpen(): void {
    if (closing !== undefined) throw new StoreClosedError();
  }

  function log({ userId }: { readonly userId: string }): LogStore {
    assertUuid("user", userId);
    return {
      async append(runId, expectedSeq, events) {
        assertOpen();
        return await logs.append(runId, expectedSeq, events, (first) => ({
          conversationId: first.type === "run.started" ? first.conversationId : "",
          userId,
        }));
      },
      async read(runId, range) {
        assertOpen();
        assertUuid("run", runId);
        return await readEvents(db, runId, range);
      },
      tail: (runId, { after }) => feed.tail(runId, after),
    };
  }

  async function close(): Promise<void> {
    await retention.stop();
    await commit.idle();
    leases.stop();
    feed.close();
    await listening.stop();
    try {
      await recovery.releaseRuns(logs.held().map(({ runId }) => runId));
    } finally {
      await database.close();
    }
  }

  return {
    nodeId,
    kind: database.kind,
    sessions({ userId, isTold = false, setup, onOpened }) {
      assertOpen();
      return createSessionStore({
        ...{ db, nodeId, clock, logs, recovery, holders, userId, isTold, setup, onOpened },
      });
    },
    log,
    read: createReaders(db),
    conversations: createConversationStore(db),
    sharing: createSharing(db),
    shareLinks: createShareLinks(db),
    answerLinks: createAnswerLinks(db),
    notices: createNotices(db),
    queuedAsks: createQueuedAsks(db),
    hasAccount: (userId) => hasAccount(db, userId),
    keptOutputs: database.kind === "server" ? createKeptOutputs(db, nodeId) : undefined,
    runs: createRunDirectory(db),
    async fork(forking) {
      assertOpen();
      return await forkConversation(db, log(forking.viewer), forking);
    },
    async ping() {
      commit.assertRoom();
      await sql`select 1`.execute(db);
    },
    tail(runId, { after }) {
      assertOpen();
      assertUuid("run", runId);
      return feed.tail(runId, after);
    },
    get waitingTails() {
      return feed.waiting;
    },
    async claimOrphans({ limit = defaultOrphans } = {}) {
      assertOpen();
      return await recovery.claimOrphans({ limit });
    },
    async dueRuns({ limit = defaultOrphans } = {}) {
      assertOpen();
      return await recovery.dueRuns({ limit });
    },
    async claimCarrying({ limit = defaultOrphans } = {}) {
      assertOpen();
      return await recovery.claimCarrying({ limit });
    },
    async settleCarrying(runId) {
      assertOpen();
      assertUuid("run", runId);
      await recovery.settleCarrying(runId);
    },
    async findParked(runId) {
      assertOpen();
      assertUuid("run", runId);
      return await recovery.findParked(runId);
    },
    release: (runId) => recovery.releaseRuns([runId]),
    renew: leases.renew,
    async cancel(runId) {
      assertOpen();
      assertUuid("run", runId);
      const isAsked = await askToCancel(database, news, runId);
      // A node does not receive its own notification.
      if (isAsked) onCancelRequested(runId);
      return isAsked;
    },
    onCancelRequested: cancelled.add,
    onLost: lost.add,
    onPurged: deleted.add,
    listening: listening.listening,
    async purge(purging) {
      assertOpen();
      return await purge(database, {
        ...purging,
        onDeleted(conversationIds) {
          onDeleted(conversationIds);
          purging.onDeleted?.(conversationIds);
        },
      });
    },
    async backup(file) {
      assertOpen();
      if (!database.dump)
        throw new Error("a server's database is copied with pg_dump, not from here");
      return await writeBackup(await database.dump(), file);
    },
    sealing,
    database,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
