/**
 * The rules for one call: which observation may follow which. It changes the record that it gets and returns the
 * violations. The judge knows which calls exist and when turns end.
 */
import type { CallRecord } from "./callRecord.js";
import type { CallObservation, DialectFacts } from "./observations.js";
import { type Remark, type RuleName, suspicion, violation } from "./rules.js";

/** Openings and observations about them; the judge handles these before it applies the rules of the call. */
type Opening = "call.opened" | "call.upserted" | "call.recalled" | "call.forgotten";
export type CallMove = Exclude<CallObservation, { readonly type: Opening }>;
type MoveOf<Type extends CallMove["type"]> = Extract<CallMove, { readonly type: Type }>;

/** `line` is the line of the move. */
export function judgedMove(
  record: CallRecord,
  move: CallMove,
  line: number,
  facts: DialectFacts,
): readonly Remark[] {
  if (move.type === "call.content.replaced") {
    record.resending.count(move.field, move.size);
    return [];
  }
  if (record.phase === "closed") return afterClose(record, move);
  const late = record.late ? afterTurn(record, move) : [];
  return [...late, ...judgedOpenMove(record, move, line, facts)];
}

function judgedOpenMove(
  record: CallRecord,
  move: Exclude<CallMove, MoveOf<"call.content.replaced">>,
  line: number,
  facts: DialectFacts,
): readonly Remark[] {
  switch (move.type) {
    case "call.input.delta":
      return inputDelta(record, move);
    case "call.input.closed":
      return inputClosed(record);
    case "call.approval.asked":
      return asked(record, move);
    case "call.approval.answered":
      record.approval = move.allowed ? "allowed" : "denied";
      return [];
    case "call.status":
      return move.status === "running"
        ? began(record, facts)
        : statedPending(record, move.isAside === true);
    case "call.run.started":
      return began(record, facts);
    case "call.run.progressed":
      return move.output ? began(record, facts) : [];
    case "call.closed":
      return closingRemarks(record, move, line, facts);
    default:
      return move satisfies never;
  }
}

function asked(record: CallRecord, move: MoveOf<"call.approval.asked">): readonly Remark[] {
  const isWaiting = record.approval === "asked";
  record.approval = move.answerVisible ? "asked" : "unseen";
  const message = "asked again before the first question was answered";
  return isWaiting ? [suspicion("approval-mismatch", message, record.id)] : [];
}

function once(record: CallRecord, rule: RuleName, message: string): readonly Remark[] {
  if (record.reported.has(rule)) return [];
  record.reported.add(rule);
  return [violation(rule, message, record.id)];
}

function afterClose(
  record: CallRecord,
  move: Exclude<CallMove, MoveOf<"call.content.replaced">>,
): readonly Remark[] {
  const since = `it was closed on line ${record.closedAtLine}`;
  if (move.type === "call.closed") {
    if (record.tentative) {
      record.tentative = false;
      return [];
    }
    return [violation("closed-twice", since, record.id)];
  }
  if (move.type === "call.status") {
    return once(record, "stage-regression", `${move.status} again: ${since}`);
  }
  return once(record, "update-after-close", since);
}

function afterTurn(record: CallRecord, move: CallMove): readonly Remark[] {
  return move.type === "call.closed"
    ? [violation("closed-after-turn-end", "its turn was already over", record.id)]
    : once(record, "update-after-turn-end", "its turn was already over");
}

function inputDelta(record: CallRecord, move: MoveOf<"call.input.delta">): readonly Remark[] {
  if (record.phase === "running") {
    return once(record, "stage-regression", "argument text for a call that is running");
  }
  if (record.phase === "ready") {
    return once(record, "input-after-close", "argument text after the complete arguments");
  }
  const expected = record.inputLength;
  const offset = move.offset ?? expected;
  record.inputLength = Math.max(expected, offset + move.length);
  if (offset > expected) {
    const hole = `argument text from ${expected} to ${offset} never arrived`;
    return [violation("delta-hole", hole, record.id)];
  }
  if (offset === expected) return [];
  const overlap = `argument text from ${offset} to ${expected} came before`;
  return [suspicion("delta-overlap", overlap, record.id)];
}

function inputClosed(record: CallRecord): readonly Remark[] {
  if (record.phase === "input") {
    record.phase = "ready";
    return [];
  }
  return once(record, "input-after-close", "the arguments were complete before");
}

function statedPending(record: CallRecord, isAside: boolean): readonly Remark[] {
  if (record.phase !== "running") return [];
  record.phase = "ready";
  const remark = isAside ? suspicion : violation;
  return [remark("stage-regression", "pending again after it was running", record.id)];
}

function began(record: CallRecord, facts: DialectFacts): readonly Remark[] {
  if (record.phase === "running" && record.approval !== "denied") return [];
  const isEarly = facts.inputIsClosed && record.phase === "input";
  record.phase = "running";
  const message = "it runs before its arguments were complete";
  const early = isEarly ? [violation("run-before-input", message, record.id)] : [];
  return [...early, ...withoutConsent(record)];
}

function withoutConsent(record: CallRecord): readonly Remark[] {
  if (record.approval === "denied") {
    return once(record, "run-after-denial", "it runs although it was denied");
  }
  if (record.approval === "asked") {
    return once(record, "run-without-approval", "it runs before its approval was answered");
  }
  return [];
}

function closingRemarks(
  record: CallRecord,
  move: MoveOf<"call.closed">,
  line: number,
  facts: DialectFacts,
): readonly Remark[] {
  const isOk = move.outcome === "ok";
  const remarks: Remark[] = [];
  if (isOk) remarks.push(...withoutConsent(record));
  const mayBeOk = isOk || move.outcome === "unstated";
  if (mayBeOk && facts.inputIsClosed && record.phase === "input") {
    const message = "a result before the arguments were complete";
    remarks.push(violation("result-before-input", message, record.id));
  }
  if (move.outcome === "missing") {
    remarks.push(violation("end-without-outcome", "closed without saying how", record.id));
  }
  if (move.evidence) {
    const remark = move.evidence.isCertain ? violation : suspicion;
    remarks.push(remark("contradictory-outcome", move.evidence.message, record.id));
  }
  record.phase = "closed";
  record.outcome = move.outcome;
  record.tentative = move.tentative ?? false;
  record.closedAtLine = line;
  return [...remarks, ...record.resending.verdict(record.id)];
}
