/**
 * One session, run or message stream: its calls, which of them are open, and whether its turn is over. It decides what
 * the end of a turn means for the calls; it never checks a single move.
 */
import { type CallRecord, createCallRecord, type Phase } from "./callRecord.js";
import type { Excuse, TurnObservation } from "./observations.js";
import { type Remark, suspicion, violation } from "./rules.js";

export type TurnEnd = Extract<TurnObservation, { readonly type: "turn.ended" }>;

export interface Scope {
  turn: "unstarted" | "running" | "ended";
  callOf(id: string): CallRecord | undefined;
  open(id: string): CallRecord;
  /** A call of an earlier stream: it may be closed here, and it need not be. */
  recall(id: string, isClosed: boolean): void;
  forget(id: string): void;
  /** Called when the phase of a record has become closed. */
  closed(record: CallRecord): void;
  /** Whatever closed before this was seen by the model, so no later cancellation concerns it. */
  modelSpoke(): void;
  endTurn(end: TurnEnd): readonly Remark[];
  endStream(): readonly Remark[];
}

export function createScope(): Scope {
  const calls = new Map<string, CallRecord>();
  const open = new Set<CallRecord>();
  let quiet: CallRecord[] = [];

  const modelSpoke = () => {
    if (quiet.length > 0) quiet = [];
  };

  /** Each open call is judged once: afterwards it is late or excused, and no longer counts as open. */
  const leaveOpen = (judged: (record: CallRecord) => Remark | undefined): readonly Remark[] => {
    const remarks: Remark[] = [];
    for (const record of open) {
      const remark = judged(record);
      record.late = remark !== undefined;
      record.excused = remark === undefined;
      if (remark) remarks.push(remark, ...record.resending.verdict(record.id));
    }
    open.clear();
    return remarks;
  };

  const scope: Scope = {
    turn: "unstarted",
    callOf: (id) => calls.get(id),
    open(id) {
      const record = createCallRecord(id);
      calls.set(id, record);
      open.add(record);
      modelSpoke();
      return record;
    },
    recall(id, isClosed) {
      if (calls.has(id)) return;
      const record = createCallRecord(id);
      record.phase = isClosed ? "closed" : "ready";
      record.excused = true;
      calls.set(id, record);
    },
    forget(id) {
      const record = calls.get(id);
      if (record) open.delete(record);
      calls.delete(id);
    },
    closed(record) {
      open.delete(record);
      if (!record.late) quiet.push(record);
    },
    modelSpoke,
    endTurn(end) {
      scope.turn = "ended";
      const isExplained = open.size > 0 || quiet.some((record) => record.outcome !== "ok");
      const left = leaveOpen((record) => leftOpen(record, end.excuse));
      const suspects = end.how === "cancelled" && !isExplained ? quiet : [];
      quiet = [];
      return [...left, ...suspects.map(completedInCancelledTurn)];
    },
    endStream: () =>
      leaveOpen((record) => {
        if (isRefused(record)) return undefined;
        return violation("open-at-stream-end", `still ${labelOf[record.phase]}`, record.id);
      }),
  };
  return scope;
}

const labelOf: Readonly<Record<Phase, string>> = {
  input: "pending",
  ready: "waiting to run",
  running: "running",
  closed: "closed",
};

/** The refusal of a question is the end of a call that nothing else contained: client and agent both know it. */
function isRefused({ isOnlyAsked, approval }: CallRecord): boolean {
  return isOnlyAsked && approval === "denied";
}

function leftOpen(record: CallRecord, excuse: Excuse): Remark | undefined {
  const message = `still ${labelOf[record.phase]} when the turn ended`;
  if (isRefused(record)) return undefined;
  if (record.isOnlyAsked && record.approval === "unseen") {
    return suspicion("open-at-turn-end", `${message}, unless the client refused it`, record.id);
  }
  switch (excuse.type) {
    case "none":
      return violation("open-at-turn-end", message, record.id);
    case "named":
      return excuse.callIds.has(record.id)
        ? undefined
        : violation("open-at-turn-end", message, record.id);
    case "unnamed":
      if (record.phase === "input") return violation("open-at-turn-end", message, record.id);
      if (record.approval !== "none") return undefined;
      return suspicion("open-at-turn-end", `${message}, unless the client runs it`, record.id);
    default:
      return excuse satisfies never;
  }
}

function completedInCancelledTurn(record: CallRecord): Remark {
  const message = `completed on line ${record.closedAtLine}, then the turn was cancelled`;
  return suspicion("completed-in-cancelled-turn", message, record.id);
}
