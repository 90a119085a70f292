/**
 * The store: the log and its rows in one PostgreSQL. It joins what writes, what reads, what follows and
 * what recovers; each has its own room. One for each process.
 */
import { randomUUID } from "node:crypto";
import type { LockHolder } from "@callboard/agent-sdk/sessions";
import { type LogStore, type RunEvent, type RunId, runId as runIdOf } from "@callboard/run-log";
import { sql } from "kysely";
import { writeBackup } from "./administration/backup.js";
import { type Purged, type PurgeOptions, purge } from "./administration/purge.js";
import { startRetentionKeeper } from "./administration/retentionKeeper.js";
import type { Database } from "./connections/database.js";
import { type AnswerLinks, createAnswerLinks } from "./conversations/answerLinks.js";
import {
  type ConversationStore,
  createConversationStore,
} from "./conversations/conversationStore.js";
import { type ForkOptions, forkConversation } from "./conversations/fork.js";
import { createShareLinks, type ShareLinks } from "./conversations/shareLinks.js";
import { createSharing, type Sharing } from "./conversations/sharing.js";
import { StoreClosedError } from "./errors.js";
import { assertUuid } from "./ids.js";
import { askToCancel } from "./leases/cancelling.js";
import { startLeaseKeeper } from "./leases/leaseKeeper.js";
import {
  type CarryingRun,
  createRecovery,
  type ParkedRun,
  type RecoveredRun,
} from "./leases/recovery.js";
import { claimRun } from "./leases/takeover.js";
import { createKeptListeners, createListeners } from "./listeners.js";
import { createFeed } from "./live/feed.js";
import { createNewsPayloads, type NewsPayloads } from "./live/newsPayload.js";
import { startNodeNews } from "./live/nodeNews.js";
import { createSealing, readNodeKey, type Sealing } from "./live/sealing.js";
import { openDatabase } from "./openDatabase.js";
import { createReaders, type Readers } from "./reading/readers.js";
import { readEvents } from "./reading/runEvents.js";
import { readRunHead } from "./reading/runs.js";
import { createKeptOutputs, type KeptOutputs } from "./runs/keptOutputs.js";
import { createNotices, type Notices } from "./runs/notices.js";
import { createRunDirectory, type RunDirectory } from "./runs/runDirectory.js";
import { createSessionStore, type DatabaseSessionStore } from "./sessions/sessionStore.js";
import type { OpenedPlace, StoreOptions, StorePlace } from "./storeOptions.js";
import { createGroupCommit } from "./writing/groupCommit.js";
import { createRunLogs, type RunLogs } from "./writing/runLogs.js";

export interface Store {
  readonly nodeId: string;
  /** Embedded: nobody but this process can have it open. */
  readonly kind: "embedded" | "server";
  /** A user's sessions, for an agent. */
  /** With `isTold` the runs that begin there are among `notices` when they wait for a person or have ended. */
  sessions(options: { readonly userId: string; readonly isTold?: boolean }): DatabaseSessionStore;
  /** Logs without a session: the run's first event says which conversation it belongs to. */
  log(options: { readonly userId: string }): LogStore;
  readonly read: Readers;
  /** Conversations, for the user who asks. */
  readonly conversations: ConversationStore;
  readonly sharing: Sharing;
  readonly shareLinks: ShareLinks;
  readonly answerLinks: AnswerLinks;
  readonly notices: Notices;
  /** Whole outputs that every node reads. Absent where this process is the only one: it has their files. */
  readonly keptOutputs: KeptOutputs | undefined;
  /** Runs, for the user who asks. */
  readonly runs: RunDirectory;
  /** Copies a conversation up to a position. The new conversation's id; undefined where there is no such position. */
  fork(options: ForkOptions): Promise<string | undefined>;
  /** Asks the database for an answer: throws where it gives none, or could store nothing a moment ago. */
  ping(): Promise<void>;
  /** What is stored of a run and what comes, from whichever node, until it closes. Asks nobody's leave. */
  tail(runId: RunId, range: { readonly after: number }): AsyncIterable<RunEvent>;
  /** How many tails wait for news: 0 when every reader has left. */
  readonly waitingTails: number;
  /**
   * Takes over runs whose node is gone and closes what it left open. A run that was marked resumable
   * stays open and is this node's: go on with it, or release it.
   */
  claimOrphans(options?: { readonly limit?: number }): Promise<readonly RecoveredRun[]>;
  /** Parked runs of which a question expired, or that somebody wants cancelled: go on with them. */
  dueRuns(options?: { readonly limit?: number }): Promise<readonly ParkedRun[]>;
  /** Runs that have ended and whose waiting messages have no run yet: begin it, and settle the run then. */
  claimCarrying(options?: { readonly limit?: number }): Promise<readonly CarryingRun[]>;
  settleCarrying(runId: string): Promise<void>;
  /** A run that is parked. Checks no rights. */
  findParked(runId: string): Promise<ParkedRun | undefined>;
  /** Gives a run free that this node owns: the next one to ask for orphans gets it. */
  release(runId: string): Promise<void>;
  /** Renews the leases of this node's runs at once; they are renewed by themselves in time. */
  renew(): Promise<readonly string[]>;
  /** Asks the owner of a run to cancel it. False where no such run is open. */
  cancel(runId: string): Promise<boolean>;
  /** Called with a run of this node that somebody wants cancelled; perhaps more than once. */
  onCancelAsked(listener: (runId: string) => void): () => void;
  /** Called with a run that another node took over: nothing more of it can be written here. */
  onLost(listener: (runId: string) => void): () => void;
  /**
   * Called with each conversation that retention deleted, also with those from before anybody listened: whoever
   * keeps files of it removes them.
   */
  onPurged(listener: (conversationId: string) => void): () => void;
  /** Resolves when news of other nodes are heard. */
  readonly listening: Promise<void>;
  /** Deletes what is older or more than the options say. Gives what is gone, or what would go. */
  purge(options: PurgeOptions): Promise<Purged>;
  /** Copies an embedded database to a file as it is now; gives the file's size. A server has pg_dump. */
  backup(file: string): Promise<number>;
  /** For messages to the other nodes of this database. */
  readonly sealing: Sealing;
  /** The database itself, for what has no word here. */
  readonly database: Database;
  /** Waits for what is being written and gives every run free. */
  close(): Promise<void>;
}

const defaultLeaseMs = 30_000;
const defaultPatienceMs = 20_000;
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
  const news = database.kind === "server" ? createNewsPayloads(nodeId, sealing) : undefined;
  const source = options.newsSource?.(sealing);
  // Told by the source, a commit need not notify.
  const told: NewsPayloads | undefined = source &&
    news && { ...news, moved: (runs) => (source.isReached() ? [] : news.moved(runs)) };
  const ownership = {
    owner: nodeId,
    leaseMs: options.leaseMs ?? defaultLeaseMs,
    news: told ?? news,
  };
  const patienceMs = options.patienceMs ?? defaultPatienceMs;
  const commit = createGroupCommit({ database, ownership, clock, logger, patienceMs });
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
      claimRun({ database, ownership, now: clock.now, positionsOf: logs.positionsOf }, runId),
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
    onCancelAsked: cancelled.tell,
  });
  const onCancelAsked = (runId: string): void => {
    if (logs.isHeld(runId)) cancelled.tell(runId);
  };
  const pollMs = options.pollMs ?? defaultPollMs;
  const listening = startNodeNews({
    database,
    feed,
    clock,
    logger,
    pollMs,
    payloads: news,
    onCancelAsked,
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
    sessions({ userId, isTold = false }) {
      assertOpen();
      return createSessionStore({ db, nodeId, clock, logs, recovery, holders, userId, isTold });
    },
    log,
    read: createReaders(db),
    conversations: createConversationStore(db),
    sharing: createSharing(db),
    shareLinks: createShareLinks(db),
    answerLinks: createAnswerLinks(db),
    notices: createNotices(db),
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
      // A node does not hear its own notification.
      if (isAsked) onCancelAsked(runId);
      return isAsked;
    },
    onCancelAsked: cancelled.add,
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
