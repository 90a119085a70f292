/** The table of the call's machine, entry by entry, for writers (decide) and readers (the fold). */
import {
  arbitraryLife,
  callStatuses,
  createRandom,
  decisionResult,
  eventsOf,
  lifeOfCall,
  mutate,
  searchCount,
  situations,
  theCall,
  usual,
  violationOf,
  when,
} from "@callboard/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type CallMove, callTable } from "./callTable.js";
import { stamped } from "./drafts.js";
import type { RunEvent } from "./events/index.js";
import { admit, evolve } from "./evolve.js";
import { callId, runId } from "./ids.js";
import type { Timed } from "./intents.js";
import { faultsOf } from "./laws.js";
import { callOf, initialState, type RunState } from "./state.js";

const cancel: Timed = { type: "closeCall", callId: theCall, outcome: "cancelled", message: "stop" };

const heartbeat: Timed = {
  type: "progressCall",
  callId: theCall,
  progress: { type: "heartbeat" },
};

const moves: readonly { intent: Timed; move: CallMove }[] = [
  { intent: usual.openCall, move: "call.opened" },
  { intent: { type: "appendInput", callId: theCall, text: "{" }, move: "call.input.delta" },
  { intent: { type: "appendInput", callId: theCall, text: "" }, move: "call.input.delta" },
  { intent: usual.closeInput, move: "call.input.closed" },
  { intent: usual.amendInput, move: "call.input.amended" },
  { intent: usual.askApproval, move: "call.approval.asked" },
  { intent: usual.allow, move: "call.approval.answered" },
  { intent: usual.deny, move: "call.approval.answered" },
  { intent: usual.startCall, move: "call.run.started" },
  { intent: usual.print, move: "call.run.progressed" },
  { intent: heartbeat, move: "call.run.progressed" },
  { intent: cancel, move: "call.closed" },
];

/** The event that an intent stands for, as a reader might find it anywhere. */
function first(state: RunState, intent: Timed): RunEvent {
  const [event] = eventsOf(when(state, intent));
  if (!event) throw new Error(`${intent.type} gives no event`);
  return event;
}

const eventOf: Readonly<Record<CallMove, RunEvent>> = {
  "call.opened": first(situations.absent, usual.openCall),
  "call.input.delta": first(situations.inputStreaming, {
    type: "appendInput",
    callId: theCall,
    text: "{",
  }),
  "call.input.closed": first(situations.inputStreaming, usual.closeInput),
  "call.input.amended": first(situations.ready, usual.amendInput),
  "call.approval.asked": first(situations.ready, usual.askApproval),
  "call.approval.answered": first(situations.awaitingApproval, usual.allow),
  "call.run.started": first(situations.ready, usual.startCall),
  "call.run.progressed": first(situations.running, usual.print),
  "call.closed": first(situations.running, cancel),
};

describe.each(callStatuses)("a call that is %s", (status) => {
  const state = situations[status];

  it.each(moves)("answers $intent.type as the table says ($move)", ({ intent, move }) => {
    const decision = when(state, intent);
    const entry = callTable[status][move];
    if (typeof entry === "string") {
      expect(decisionResult(decision)).toBe(entry);
      return;
    }
    if (decision.status === "refused") throw new Error(decision.refusal.message);
    const isDenial = intent.type === "answerApproval" && !intent.allowed;
    const after = callOf(decision.state, theCall)?.status;
    expect(isDenial ? ["closed"] : entry).toContain(after);
  });

  it("names the call and the intent in every refusal", () => {
    for (const { intent } of moves) {
      const decision = when(state, intent);
      if (decision.status === "accepted") continue;
      expect(decision.refusal).toMatchObject({ intent: intent.type, callId: theCall });
      expect(decision.refusal.message).not.toBe("");
    }
  });

  it("folds each event as the table says, and changes nothing by one that does not fit", () => {
    for (const [move, event] of Object.entries(eventOf)) {
      const next = { ...event, seq: state.seq + 1 };
      const admission = admit(state, next);
      const entry = Object.entries(callTable[status]).find(([name]) => name === move)?.[1];
      if (typeof entry === "string") {
        expect(admission.faults.map(({ code }) => code)).toEqual([entry]);
        expect(admission.event).toBeUndefined();
        expect(admission.state).toEqual({ ...state, seq: next.seq, faultCount: 1 });
      } else {
        expect(admission.faults).toEqual([]);
        expect(entry).toContain(callOf(admission.state, theCall)?.status);
      }
    }
  });
});

describe("a good end", () => {
  const event = first(situations.running, usual.closeCall);

  it.each(["inputStreaming", "ready", "awaitingApproval", "refused"] as const)(
    "of a call that is %s is a fault, and still its end",
    (status) => {
      const admission = admit(situations[status], { ...event, seq: situations[status].seq + 1 });
      expect(admission.faults.map(({ code }) => code)).toEqual(["notRunning"]);
      expect(callOf(admission.state, theCall)).toMatchObject({ status: "closed", outcome: "ok" });
    },
  );
});

describe("arguments that do not parse", () => {
  const cut: Timed = { type: "closeInput", callId: theCall, text: "{", problem: "cut" };
  const decision = when(situations.inputStreaming, cut);
  const state = decision.status === "accepted" ? decision.state : initialState;

  it.each(["call.input.amended", "call.approval.asked", "call.run.started"] as const)(
    "allow no %s",
    (move) => {
      const event = { ...eventOf[move], seq: state.seq + 1 };
      const admission = admit(state, event);
      expect(admission.faults.map(({ code }) => code)).toEqual(["inputNotParsed"]);
      expect(admission.event).toBeUndefined();
      expect(admission.state).toEqual({ ...state, seq: event.seq, faultCount: 1 });
    },
  );
});

describe("the order of a log", () => {
  const state = situations.running;
  const status = (seq: number): RunEvent[] =>
    stamped({ runId: runId("r1"), seq: seq - 1 }, 1, [{ type: "status.reported", status: "x" }]);
  const codesAt = (seq: number): readonly string[] =>
    status(seq).flatMap((event) => faultsOf(state, event).map(({ code }) => code));

  it("refuses what was folded in before, and reports what is missing", () => {
    expect(codesAt(state.seq)).toEqual(["repeated"]);
    expect(codesAt(state.seq + 1)).toEqual([]);
    expect(codesAt(state.seq + 2)).toEqual(["gap"]);
  });

  it("counts a merged delta from its first position", () => {
    const [delta] = eventsOf(
      when(situations.inputStreaming, {
        type: "appendInput",
        callId: theCall,
        text: "{}",
      }),
    );
    if (delta?.type !== "call.input.delta") throw new Error("no delta");
    const { seq } = situations.inputStreaming;
    const covering = (from: number, to: number) => ({ ...delta, from, seq: to });
    const codes = (event: RunEvent) =>
      faultsOf(situations.inputStreaming, event).map(({ code }) => code);
    expect(codes(covering(seq + 1, seq + 3))).toEqual([]);
    expect(codes(covering(seq - 1, seq + 3))).toEqual([]);
    expect(codes(covering(seq + 2, seq + 3))).toEqual(["gap"]);
  });

  it("keeps events of other runs out", () => {
    const [event] = stamped({ runId: runId("r2"), seq: state.seq }, 1, [
      { type: "call.closed", callId: callId("c1"), outcome: "ok", output: "" },
    ]);
    if (!event) throw new Error("no event");
    const admission = admit(state, event);
    expect(admission.faults.map(({ code }) => code)).toEqual(["wrongRun"]);
    expect(admission.state).toEqual({ ...state, faultCount: 1 });
  });
});

describe("the law, read a second time as words", () => {
  const { inputStreaming, awaitingApproval, running } = situations;
  const letters = new Map<string, RunEvent>([
    ["o", first(situations.absent, usual.openCall)],
    ["d", first(inputStreaming, { type: "appendInput", callId: theCall, text: "{" })],
    ["i", first(inputStreaming, usual.closeInput)],
    ["m", first(situations.ready, usual.amendInput)],
    ["a", first(situations.ready, usual.askApproval)],
    ["y", first(awaitingApproval, usual.allow)],
    ["n", first(awaitingApproval, usual.deny)],
    ["s", first(situations.ready, usual.startCall)],
    ["p", first(running, heartbeat)],
    ["k", first(running, usual.closeCall)],
    ["c", first(running, cancel)],
  ]);

  it("allows exactly the words of the grammar, up to eight moves", () => {
    let lives: readonly { word: string; state: RunState }[] = [
      { word: "", state: situations.absent },
    ];
    for (let length = 1; length <= 8; length += 1) {
      const longer = lives.flatMap(({ word, state }) =>
        [...letters].map(([letter, event]) => {
          const { faults, state: next } = admit(state, { ...event, seq: state.seq + 1 });
          return { word: word + letter, state: next, isLawful: faults.length === 0 };
        }),
      );
      const wrong = longer.filter(({ word, isLawful }) => isLawful !== lifeOfCall.test(word));
      expect(wrong.map(({ word }) => word)).toEqual([]);
      lives = longer.filter(({ isLawful }) => isLawful);
    }
    expect(lives.length).toBeGreaterThan(20);
  });

  it("finds nothing in a life that decide wrote", () => {
    fc.assert(
      fc.property(arbitraryLife, ({ log }) => {
        expect(violationOf(log)).toBeUndefined();
      }),
      { numRuns: searchCount(60) },
    );
  });

  it("finds nothing in a broken history that the fold does not count as a fault", () => {
    fc.assert(
      fc.property(arbitraryLife, fc.nat(), ({ log }, seed) => {
        const { history } = mutate(log, createRandom(seed));
        const violation = violationOf(history);
        const { faultCount } = history.reduce(evolve, initialState);
        expect(violation !== undefined && faultCount === 0 ? violation : undefined).toBeUndefined();
      }),
      { numRuns: searchCount(200) },
    );
  });
});
