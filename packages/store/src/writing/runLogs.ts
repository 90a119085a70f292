/**
 * The logs that this node writes. It owns a run from its start, or from a takeover, until the run closes, is parked,
 * released or lost; it appends only to runs that it owns. Rows follow in the same transaction. It decides nothing about
 * events beyond their positions.
 */

import { type RunEvent, type RunId, runId as runIdOf } from "@callboard/run-log";
import type { Appended } from "@callboard/run-log/writing";
import type { StoreDb } from "../connections/database.js";
import { createMutex, type Mutex } from "../connections/mutex.js";
import type { RunSetup } from "../conversations/setup.js";
import { FencedError, RunClosedError, SessionBusyError, SessionMovedError } from "../errors.js";
import { assertUuid } from "../ids.js";
import type { Feed } from "../live/feed.js";
import { type ConversationState, viewConversation } from "./conversationView.js";
import type { GroupCommit } from "./groupCommit.js";
import { type HeldRun, nextBatch } from "./heldRun.js";
import { createPositions, type Positions } from "./positions.js";
import type { RunStart } from "./runBatch.js";
import { createRowsFold } from "./runFold.js";

/** Whose run it is, for the first append of one. */
export interface Beginning {
  readonly conversationId: string;
  readonly userId: string;
  readonly isResumable?: boolean;
  readonly isTold?: boolean;
  readonly isCopy?: boolean;
  readonly setup?: RunSetup | undefined;
  /** How many runs the writer knows of; by default any number is accepted. */
  readonly knownRuns?: () => number;
  /** The recent state of the conversation, if the writer has read it and knows that the run is new. */
  readonly view?: () => ConversationState | undefined;
  /** Called once the run has started, before another one of the conversation can. */
  readonly onBegun?: () => void;
}

export interface RunLogs {
  /** `beginning` is called if the run is not known yet. */
  append(
    runId: RunId,
    expectedSeq: number,
    events: readonly RunEvent[],
    beginning: (first: RunEvent) => Beginning,
  ): Promise<Appended>;
  /** Takes in a run that was claimed in the database. */
  hold(held: HeldRun): void;
  /** Forgets a run: it was given free, or it is another node's now. */
  drop(runId: string): void;
  held(): readonly HeldRun[];
  isHeld(runId: string): boolean;
  /** One free position after the other, shared by all runs of a conversation that this node owns. */
  positionsOf(conversationId: string, next: number): Positions;
}

export interface RunLogsOptions {
  readonly db: StoreDb;
  readonly owner: string;
  readonly commit: GroupCommit;
  readonly feed: Feed;
  /** Takes over an open run without an owner, unchanged. */
  readonly claim: (runId: string) => Promise<HeldRun>;
  readonly monotonic: () => number;
  /** Waits until the lease of a run that was started at `since` is renewed. Rejects if another node has the run. */
  readonly inTime: (run: HeldRun, since: number) => Promise<void>;
}

export function createRunLogs(options: RunLogsOptions): RunLogs {
  const { db, owner, commit, feed, claim, monotonic, inTime } = options;
  const runs = new Map<string, HeldRun>();
  const turns = new Map<string, Mutex>();
  const places = new Map<string, Positions>();

  /** One at a time for each key; the last one to leave clears up. */
  async function inTurn<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const mutex = turns.get(key) ?? createMutex();
    turns.set(key, mutex);
    const leave = await mutex.enter();
    try {
      return await work();
    } finally {
      leave();
      if (mutex.isEmpty()) turns.delete(key);
    }
  }

  function drop(runId: string): void {
    const held = runs.get(runId);
    if (!held) return;
    runs.delete(runId);
    if (!isAtWork(held.conversationId)) places.delete(held.conversationId);
  }

  /** Another node may resume it: what is known of it here is no longer valid. */
  function letGo(runId: string): void {
    drop(runId);
    feed.disowned(runIdOf(runId));
  }

  const isAtWork = (conversationId: string): boolean =>
    [...runs.values()].some((run) => run.conversationId === conversationId);

  async function storedHead(runId: string): Promise<{ last_seq: number; status: string }> {
    const head = await db
      .selectFrom("cx_run")
      .select(["last_seq", "status"])
      .where("id", "=", runId)
      .executeTakeFirst();
    return head ?? { last_seq: 0, status: "unknown" };
  }

  function positionsOf(conversationId: string, next: number): Positions {
    const shared = isAtWork(conversationId) ? places.get(conversationId) : undefined;
    const positions = shared ?? createPositions(next);
    places.set(conversationId, positions);
    return positions;
  }

  async function begun(
    runId: string,
    beginning: Beginning,
    events: readonly RunEvent[],
  ): Promise<Appended> {
    const { conversationId, userId, knownRuns } = beginning;
    const [first] = events;
    if (first?.type !== "run.started") {
      throw new Error(`the log of run ${runId} must start with run.started, not ${first?.type}`);
    }
    assertUuid("conversation", conversationId);
    assertUuid("user", userId);
    return await inTurn(`conversation ${conversationId}`, async () => {
      const view = beginning.view?.() ?? (await viewConversation(db, conversationId, owner));
      if (view.busyOwner !== null) throw new SessionBusyError(conversationId, view.busyOwner);
      if (knownRuns && view.runs !== knownRuns()) throw new SessionMovedError(conversationId);
      const positions = positionsOf(conversationId, view.nextPosition);
      const fold = createRowsFold({ runId, conversationId, userId, positions });
      const held = { runId, conversationId, userId, epoch: 1, fold, lastSeq: 0 };
      const start: RunStart = {
        conversationId,
        userId,
        model: first.model,
        isResumable: beginning.isResumable ?? false,
        isTold: beginning.isTold ?? false,
        isCopy: beginning.isCopy ?? false,
        setup: beginning.setup,
        runsBefore: view.runs,
      };
      runs.set(runId, held);
      const since = monotonic();
      const answer = await written(held, events, start);
      if (runs.get(runId) === held) await keptInTime(held, since);
      beginning.onBegun?.();
      return answer;
    });
  }

  /** A start may be answered late, also because of a retry: nothing is done under a lease that expires meanwhile. */
  async function keptInTime(held: HeldRun, since: number): Promise<void> {
    try {
      await inTime(held, since);
    } catch (error) {
      letGo(held.runId);
      throw error;
    }
  }

  async function written(
    held: HeldRun,
    events: readonly RunEvent[],
    start?: RunStart,
  ): Promise<Appended> {
    const { runId } = held;
    let isParked = false;
    try {
      const batch = nextBatch(held, events, start);
      isParked = batch.parked !== undefined;
      await commit.write(batch);
    } catch (error) {
      // The fold is ahead of the log now: the next writer of this run takes it over again.
      letGo(runId);
      throw error;
    }
    held.lastSeq += events.length;
    if (isParked || events.at(-1)?.type === "run.closed") drop(runId);
    const [first] = events;
    if (first) feed.tell(first.runId, events);
    if (isParked) feed.disowned(runIdOf(runId));
    return { status: "appended", seq: held.lastSeq };
  }

  return {
    async append(runId, expectedSeq, events, beginning) {
      assertUuid("run", runId);
      const batch = [...events];
      return await inTurn(`run ${runId}`, async () => {
        const known = runs.get(runId);
        const [first] = batch;
        const isMisplaced = batch.some(
          (event, index) => event.seq !== expectedSeq + 1 + index || event.runId !== runId,
        );
        if (!known && !isMisplaced && expectedSeq === 0 && first) {
          const start = beginning(first);
          if (start.view?.()) return await begun(runId, start, batch);
        }
        const stored = known ? undefined : await storedHead(runId);
        const seq = known?.lastSeq ?? stored?.last_seq ?? 0;
        if (seq !== expectedSeq || isMisplaced) return { status: "conflict", seq };
        if (!first) return { status: "appended", seq };
        if (known) return await written(known, batch);
        if (stored?.status === "closed") throw new RunClosedError(runId);
        if (stored?.status === "unknown") return await begun(runId, beginning(first), batch);
        const held = await claim(runId);
        if (held.lastSeq !== expectedSeq) throw new FencedError(runId);
        runs.set(runId, held);
        return await written(held, batch);
      });
    },
    hold(held) {
      runs.set(held.runId, held);
    },
    drop: letGo,
    held: () => [...runs.values()],
    isHeld: (runId) => runs.has(runId),
    positionsOf,
  };
}
