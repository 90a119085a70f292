/**
 * What must hold after every step, judged from outside: by what the simulated database has committed and by what
 * the tools have done, never by what a node believes. The first violation is kept.
 */
import { admit, initialState, parseEvent, type RunEvent, type RunState } from "@callboard/run-log";
import type { RunRow } from "./database/tables.js";

/** A run as the committed log says. */
export interface KnownRun {
  readonly row: RunRow;
  readonly state: RunState;
  /** By position: the first event is at 0. */
  readonly log: readonly string[];
  readonly events: readonly RunEvent[];
}

/** A tool that works on a call. */
export interface Work {
  readonly nodeId: string;
  readonly runId: string;
  readonly callId: string;
  readonly signal: AbortSignal;
  readonly isNodeDead: () => boolean;
}

export interface Laws {
  readonly violation: string | undefined;
  readonly runs: ReadonlyMap<string, KnownRun>;
  break(violation: string): void;
  /** A node's transaction changed these runs. */
  committed(nodeId: string, rows: readonly RunRow[], now: number): void;
  /** A tool starts to work; gives what ends it. */
  began(work: Work, needsApproval: boolean): () => void;
  /** A tool had its effect. */
  effect(key: string, mayRepeat: boolean): void;
  hasEffect(key: string): boolean;
  /** A reader was given an event. */
  read(runId: string, after: number, event: RunEvent): void;
  readonly effects: number;
}

export function createLaws(): Laws {
  const runs = new Map<string, KnownRun>();
  const works = new Set<Work>();
  const effects = new Map<string, number>();
  let violation: string | undefined;

  function fail(what: string): void {
    violation ??= what;
  }

  function moved(nodeId: string, row: RunRow, now: number): void {
    const known = runs.get(row.id);
    const before = known?.row;
    const { log = [], events = [] } = known ?? {};
    const isAppended = row.lastSeq > (before?.lastSeq ?? 0);
    if (before) assertOwned(nodeId, before, row, isAppended, now);
    const added = [...row.events, ...row.deltas, ...row.endDeltas]
      .filter(({ seq }) => seq > log.length)
      .sort((one, other) => one.seq - other.seq);
    let state = known?.state ?? initialState;
    const news: RunEvent[] = [];
    for (const [index, { seq, event: text }] of added.entries()) {
      const parsed = parseEvent(JSON.parse(text));
      if (seq !== log.length + 1 + index || parsed.status !== "parsed") {
        fail(`event ${seq} of run ${row.id} cannot be read, or the one before it is missing`);
        return;
      }
      const admission = admit(state, parsed.event);
      for (const { code, message } of admission.faults) {
        fail(
          `event ${seq} (${parsed.event.type}) of run ${row.id} is against the law: ${code}, ${message}`,
        );
      }
      state = admission.state;
      news.push(parsed.event);
    }
    const total = log.length + added.length;
    if (total !== row.lastSeq) fail(`run ${row.id} is at ${row.lastSeq} and has ${total} events`);
    if ((state.status === "closed") !== (row.status === "closed")) {
      fail(`run ${row.id} is ${row.status}, and its log says ${state.status}`);
    }
    runs.set(row.id, {
      row,
      state,
      log: [...log, ...added.map(({ event }) => event)],
      events: [...events, ...news],
    });
  }

  /** One writer at a time: a node that appends owns the run, and no run is taken from a node that has its lease. */
  function assertOwned(
    nodeId: string,
    before: RunRow,
    after: RunRow,
    isAppended: boolean,
    now: number,
  ): void {
    const { id } = before;
    if (before.status === "closed" && isAppended) fail(`run ${id} was appended to after its end`);
    if (after.epoch < before.epoch) fail(`the epoch of run ${id} went back`);
    const isTaken = after.epoch > before.epoch;
    if (isTaken) {
      const isFree = before.leaseUntil === null || before.leaseUntil < now;
      if (!isFree && before.owner !== nodeId) {
        fail(`${nodeId} took run ${id} from ${before.owner}, whose lease lasts`);
      }
    } else if (isAppended && before.owner !== nodeId) {
      fail(`${nodeId} wrote to run ${id}, which is ${before.owner ?? "nobody"}'s`);
    } else if (after.owner !== null && after.owner !== before.owner) {
      fail(`run ${id} went from ${before.owner} to ${after.owner} in one epoch`);
    }
    if (!isTaken && before.owner !== nodeId && before.owner !== null) {
      const isFreed = after.owner === null && !isAppended;
      if (isFreed) fail(`${nodeId} gave run ${id} free, which is ${before.owner}'s`);
      if ((after.leaseUntil ?? 0) > (before.leaseUntil ?? 0)) {
        fail(`${nodeId} renewed the lease of run ${id}, which is ${before.owner}'s`);
      }
    }
    if (!isTaken) return;
    for (const work of works) {
      if (work.runId !== id || work.nodeId === nodeId || work.isNodeDead()) continue;
      if (!work.signal.aborted) {
        fail(`${nodeId} took run ${id} over while ${work.nodeId} works on call ${work.callId}`);
      }
    }
  }

  return {
    get violation() {
      return violation;
    },
    runs,
    break: fail,
    committed(nodeId, rows, now) {
      for (const row of rows) moved(nodeId, row, now);
    },
    began(work, needsApproval) {
      const { runId, callId, nodeId } = work;
      const known = runs.get(runId);
      const ofCall = known?.events.filter((event) => "callId" in event && event.callId === callId);
      if (!ofCall?.some(({ type }) => type === "call.run.started")) {
        fail(`${nodeId} runs call ${callId} of run ${runId} before its start is stored`);
      }
      const answer = ofCall?.findLast((event) => event.type === "call.approval.answered");
      if (needsApproval && (answer?.type !== "call.approval.answered" || !answer.allowed)) {
        fail(`${nodeId} runs call ${callId} of run ${runId} without an answer that allows it`);
      }
      if (ofCall?.some(({ type }) => type === "call.closed")) {
        fail(`${nodeId} runs call ${callId} of run ${runId} after its end`);
      }
      if (known && known.row.owner !== nodeId) {
        fail(
          `${nodeId} runs call ${callId} of run ${runId}, which is ${known.row.owner ?? "nobody"}'s`,
        );
      }
      works.add(work);
      return () => works.delete(work);
    },
    effect(key, mayRepeat) {
      const count = (effects.get(key) ?? 0) + 1;
      effects.set(key, count);
      if (count > 1 && !mayRepeat) fail(`the effect under key ${key} happened ${count} times`);
    },
    hasEffect: (key) => effects.has(key),
    read(runId, after, event) {
      if (event.seq !== after + 1) {
        return fail(`a reader of run ${runId} got event ${event.seq} after ${after}`);
      }
      const stored = runs.get(runId)?.log[after];
      if (stored === undefined) {
        fail(`a reader of run ${runId} got event ${event.seq}, which is not stored`);
      } else if (stored !== JSON.stringify(event)) {
        fail(
          `a reader of run ${runId} got another event ${event.seq} than is stored: ${JSON.stringify(event)}`,
        );
      }
    },
    get effects() {
      return effects.size;
    },
  };
}
