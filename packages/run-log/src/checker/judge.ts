/**
 * The one judge for every dialect. It keeps the history of the calls of each scope and reports violations of the rules.
 * It knows no vocabulary: a reader translates each line for it.
 */
import { createBrackets } from "./brackets.js";
import { type CallMove, judgedMove } from "./callLaw.js";
import type { CallRecord } from "./callRecord.js";
import type {
  CallObservation,
  DialectFacts,
  Observation,
  Reader,
  TurnObservation,
} from "./observations.js";
import type { Examiner } from "./report.js";
import { type Remark, suspicion, violation } from "./rules.js";
import { createScope, type Scope, type TurnEnd } from "./scope.js";

export function createJudge(reader: Reader, facts: DialectFacts): Examiner {
  const scopes = new Map<string, Scope>();
  const brackets = createBrackets();
  let calls = 0;
  let isFirst = true;
  let line = 0;

  const scopeOf = (name: string): Scope => {
    const scope = scopes.get(name) ?? createScope();
    scopes.set(name, scope);
    return scope;
  };

  const opened = (scope: Scope, id: string) => {
    calls += scope.callOf(id) ? 0 : 1;
    if (scope.turn === "ended" && !facts.endRequired) scope.turn = "unstarted";
    return scope.open(id);
  };

  const judgedCall = (observation: CallObservation): readonly Remark[] => {
    const { scope: name, id } = observation.call;
    const scope = scopeOf(name);
    const known = scope.callOf(id);
    switch (observation.type) {
      case "call.opened":
        if (!known || known.phase === "closed") opened(scope, id);
        if (known?.isOnlyAsked) {
          known.isOnlyAsked = false;
          return [];
        }
        return known ? [violation("opened-twice", "its id was opened before", id)] : [];
      case "call.upserted":
        if (!known) opened(scope, id).isOnlyAsked = observation.isAside === true;
        else if (!observation.isAside) known.isOnlyAsked = false;
        return [];
      case "call.recalled":
        scope.recall(id, observation.closed);
        return [];
      case "call.forgotten":
        if (known) calls -= 1;
        scope.forget(id);
        return [];
      case "call.input.delta":
      case "call.input.closed":
      case "call.approval.asked":
      case "call.approval.answered":
      case "call.status":
      case "call.run.started":
      case "call.run.progressed":
      case "call.content.replaced":
      case "call.closed": {
        const record = known ?? opened(scope, id);
        record.isOnlyAsked = staysAsked(known, observation);
        // Clients accept a question that contains its call; the order is still wrong.
        const unopened = observation.type === "call.approval.asked" ? suspicion : violation;
        const early = known ? [] : [unopened("update-before-open", "it was never opened", id)];
        // If lines about the call are missing at the start of the stream, only the opening is reported.
        if (!known && !observation.type.startsWith("call.input")) record.phase = "ready";
        const wasClosed = record.phase === "closed";
        const remarks = judgedMove(record, observation, line, facts);
        if (record.phase === "closed" && !wasClosed) scope.closed(record);
        return [...early, ...remarks];
      }
      default:
        return observation satisfies never;
    }
  };

  const judgedEnd = (scope: Scope, end: TurnEnd): readonly Remark[] => {
    if (scope.turn === "ended") {
      return facts.endRequired ? [violation("ended-twice", "the stream had ended before")] : [];
    }
    const parts = end.how === "finished" ? brackets.settle() : [];
    brackets.clear();
    return [...scope.endTurn(end), ...parts];
  };

  const judgedTurn = (observation: TurnObservation): readonly Remark[] => {
    const scope = scopeOf(observation.scope);
    switch (observation.type) {
      case "turn.started": {
        const isRepeated = scope.turn === "running" && facts.endRequired;
        scope.turn = "running";
        scope.modelSpoke();
        if (!isRepeated) return [];
        const remark = observation.mayRepeat ? suspicion : violation;
        return [remark("started-twice", "it started before and has not ended")];
      }
      case "turn.cancelRequested":
      case "model.spoke":
        scope.modelSpoke();
        return [];
      case "turn.ended":
        return judgedEnd(scope, observation);
      default:
        return observation satisfies never;
    }
  };

  const judged = (observation: Observation): readonly Remark[] => {
    if ("call" in observation) return judgedCall(observation);
    return "scope" in observation ? judgedTurn(observation) : brackets.observe(observation);
  };

  /** A line after the end is one fault; its statements about calls are not a second one. */
  const judgedLine = (observations: readonly Observation[]): readonly Remark[] => {
    const isBoundary = observations.some(isTurnBoundary);
    if (facts.endRequired && scopes.get("")?.turn === "ended" && !isBoundary) {
      return [violation("event-after-end", "the stream had ended before")];
    }
    const isLateStart = isFirst && facts.startRequired && !isBoundary;
    isFirst = false;
    const start = isLateStart ? [violation("missing-start", "the stream starts without it")] : [];
    return [...start, ...observations.flatMap(judged)];
  };

  return {
    examine(payload) {
      line = payload.line;
      const { observations, remarks } = reader.read(payload);
      if (payload.type === "done") return [...remarks, ...observations.flatMap(judged)];
      return [...remarks, ...judgedLine(observations)];
    },
    end() {
      const last = [...reader.end().flatMap(judged), ...(reader.endRemarks?.() ?? [])];
      const isOver = scopes.get("")?.turn === "ended";
      const missing =
        facts.endRequired && !isOver
          ? [violation("missing-end", "the stream stops without its end")]
          : [];
      return [...last, ...missing, ...[...scopes.values()].flatMap((scope) => scope.endStream())];
    },
    calls: () => calls,
  };
}

/** Whether nothing but questions, their answers and what stands beside them is known of the call. */
function staysAsked(known: CallRecord | undefined, move: CallMove): boolean {
  if (known && !known.isOnlyAsked) return false;
  switch (move.type) {
    case "call.approval.asked":
      return move.introduces === true;
    case "call.approval.answered":
      return known !== undefined;
    case "call.status":
      return known !== undefined && move.isAside === true;
    default:
      return false;
  }
}

function isTurnBoundary(observation: Observation): boolean {
  return observation.type === "turn.started" || observation.type === "turn.ended";
}
