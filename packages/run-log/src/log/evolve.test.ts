/** The fold: total over anything, harmless to repeat, and of one mind with `decide`. */
import {
  arbitraryLife,
  callStatuses,
  createRandom,
  given,
  lives,
  mutate,
  searchCount,
  situations,
  theCall,
  usual,
  when,
} from "@callboard/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "./events/index.js";
import { admit, evolve } from "./evolve.js";
import { approvalId, callId, conversationId, messageId, partId, runId } from "./ids.js";
import type { Timed } from "./intents.js";
import { parseEventLine } from "./parse.js";
import { createRecorder } from "./recorder.js";
import { callOf, initialState, openCallsOf, partOf, type RunState } from "./state.js";

const fold = (log: readonly RunEvent[]): RunState => log.reduce(evolve, initialState);

/** Deep enough that any write to a state would throw in strict mode. */
function frozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const field of Object.values(value)) frozen(field);
  return value;
}

describe("evolve is total", () => {
  it("for any event of one history after any state of another", () => {
    const history = fc
      .tuple(arbitraryLife, fc.nat())
      .map(([{ log }, seed]) => mutate(log, createRandom(seed)).history);
    fc.assert(
      fc.property(history, history, fc.boolean(), (past, future, renumber) => {
        let state = frozen(fold(past));
        for (const event of future) {
          const next = renumber ? { ...event, seq: state.seq + 1 } : event;
          const admission = admit(state, next);
          expect(admission.state.faultCount).toBe(state.faultCount + admission.faults.length);
          expect(admission.state.seq).toBeGreaterThanOrEqual(state.seq);
          state = frozen(admission.state);
        }
      }),
      { numRuns: searchCount(150) },
    );
  });

  it("for an empty log and for events before the start", () => {
    expect(fold([])).toEqual(initialState);
    const later = lives.flatMap(({ log }) => log.slice(1, 2));
    for (const event of later) {
      expect(evolve(initialState, event)).toEqual({
        status: "unstarted",
        seq: 0,
        faultCount: 2,
      });
    }
  });

  it("and starts a run although something of it came before its start", () => {
    for (const { log, name } of lives) {
      const [first, second, ...rest] = log;
      if (!first || !second) continue;
      const state = fold([second, first, ...rest]);
      expect(state.status, name).toBe("closed");
      expect(state.seq, name).toBe(log.length);
      expect(fold([second, first]), name).toEqual({ ...fold([first]), faultCount: 2 });
    }
  });
});

describe("decide and evolve agree", () => {
  it("on every life: what was accepted folds without a fault and survives a line of JSON", () => {
    fc.assert(
      fc.property(arbitraryLife, ({ log }) => {
        const state = fold(log);
        expect(state.faultCount).toBe(0);
        expect(state.seq).toBe(log.length);
        const parsed = log.map((event) => parseEventLine(JSON.stringify(event)));
        expect(parsed).toEqual(log.map((event) => ({ status: "parsed", event })));
      }),
      { numRuns: searchCount(60) },
    );
  });

  it("on the state: what decide hands back is what the events fold to", () => {
    for (const status of callStatuses) {
      const state = situations[status];
      for (const intent of Object.values(usual)) {
        const decision = when(state, intent);
        if (decision.status === "refused") continue;
        expect(decision.state).toEqual(decision.events.reduce(evolve, state));
      }
    }
  });
});

describe("the usual delta", () => {
  /** A delta that says itself where it starts is judged by the whole law. */
  function judged(event: RunEvent): RunEvent {
    switch (event.type) {
      case "text.delta":
      case "reasoning.delta":
      case "call.input.delta":
      case "call.run.progressed":
        return event.from === undefined ? { ...event, from: event.seq } : event;
      default:
        return event;
    }
  }

  it("says of a parked run that a process has it again", () => {
    const recorder = createRecorder(() => 1);
    const asking = callId("asking");
    const growing = callId("growing");
    const call = { messageId: messageId("m"), toolName: "t", toolType: "local" } as const;
    const option = { optionId: "yes", name: "Yes", kind: "allow_once" } as const;
    const intents: readonly Timed[] = [
      { type: "startRun", runId: runId("r"), conversationId: conversationId("c"), model: "m" },
      { type: "reportUsage", usage: { inputTokens: 1, outputTokens: 1 }, context: { tokens: 2 } },
      { type: "openMessage", messageId: messageId("m"), role: "assistant" },
      { type: "openCall", callId: asking, ...call },
      { type: "closeInput", callId: asking, text: "{}" },
      { type: "openCall", callId: growing, ...call },
      { type: "askApproval", callId: asking, approvalId: approvalId("a"), options: [option] },
      { type: "parkRun" },
    ];
    for (const intent of intents) expect(recorder.propose(intent).status).toBe("accepted");
    expect(recorder.state).toMatchObject({ parkedAt: 1 });
    expect(recorder.propose({ type: "appendInput", callId: growing, text: "{" }).status).toBe(
      "accepted",
    );
    expect(recorder.state).not.toHaveProperty("parkedAt");
  });

  it("folds as the law folds it, in any history", () => {
    const history = fc
      .tuple(arbitraryLife, fc.nat(), fc.boolean())
      .map(([{ log }, seed, isWhole]) => (isWhole ? log : mutate(log, createRandom(seed)).history));
    fc.assert(
      fc.property(history, (events) => {
        let state = initialState;
        for (const event of events) {
          const { state: next, faults } = admit(state, event);
          const byLaw = admit(state, judged(event));
          expect({ next, faults }).toEqual({ next: byLaw.state, faults: byLaw.faults });
          state = next;
        }
      }),
      { numRuns: searchCount(60) },
    );
  });
});

describe("usage", () => {
  const most = Number.MAX_SAFE_INTEGER;
  const usage = { inputTokens: 3, outputTokens: 5, costUsd: 0.5 };
  const closing = { type: "closeRun", outcome: "ok" } as const;
  const closedUsage = (state: RunState) => {
    const decision = when(state, closing);
    const events = decision.status === "accepted" ? decision.events : [];
    return events.flatMap((event) => (event.type === "run.closed" ? [event.usage] : []));
  };

  it("of the model and of calls is the run's together", () => {
    const reported = when(situations.running, { type: "reportUsage", usage });
    if (reported.status === "refused") throw new Error(reported.refusal.message);
    const closed = when(reported.state, {
      type: "closeCall",
      callId: theCall,
      outcome: "ok",
      output: "",
      usage,
    });
    if (closed.status === "refused") throw new Error(closed.refusal.message);
    expect(closedUsage(closed.state)).toEqual([{ inputTokens: 6, outputTokens: 10, costUsd: 1 }]);
  });

  it("stays countable, so that the run can be closed whatever it was told", () => {
    const huge = { type: "reportUsage", usage: { inputTokens: most, outputTokens: most } } as const;
    let state = situations.absent;
    for (const intent of [huge, huge]) {
      const decision = when(state, intent);
      if (decision.status === "refused") throw new Error(decision.refusal.message);
      state = decision.state;
    }
    expect(closedUsage(state)).toEqual([{ inputTokens: most, outputTokens: most }]);
  });
});

describe("deltas", () => {
  const text = (offset: number, text: string, seq: number): RunEvent => ({
    v: 1,
    runId: runIdOf(situations.absent),
    seq,
    at: 5,
    type: "text.delta",
    messageId: messageId("m1"),
    partId: partId("p1"),
    offset,
    text,
  });

  function runIdOf(state: RunState) {
    if (state.status === "unstarted") throw new Error("the run has not started");
    return state.runId;
  }

  const shown = (...deltas: readonly RunEvent[]) => {
    let state = situations.absent;
    const news: unknown[] = [];
    for (const delta of deltas) {
      const admission = admit(state, delta);
      state = admission.state;
      const event = admission.event;
      news.push(event?.type === "text.delta" ? [event.offset, event.text] : event);
    }
    const part = partOf(state, partId("p1"));
    return {
      news,
      text: part?.status === "open" ? part.text : undefined,
      faults: state.faultCount,
    };
  };

  it("show only what is new in them", () => {
    expect(
      shown(text(0, "abc", 3), text(1, "bcd", 4), text(0, "abcd", 5), text(4, "e", 6)),
    ).toEqual({
      news: [[0, "abc"], [3, "d"], undefined, [4, "e"]],
      text: "abcde",
      faults: 0,
    });
  });

  it("that start beyond the text are refused, and what fills the hole is not", () => {
    expect(shown(text(0, "ab", 3), text(3, "d", 4), text(2, "cd", 5))).toEqual({
      news: [[0, "ab"], undefined, [2, "cd"]],
      text: "abcd",
      faults: 1,
    });
  });
});

describe("time", () => {
  const at = (state: RunState, time: number, ...intents: readonly Timed[]): RunState =>
    intents.reduce((before, intent) => {
      const decision = when(before, intent, time);
      if (decision.status === "refused") throw new Error(decision.refusal.message);
      return decision.state;
    }, state);

  it("spent waiting is no part of running, before or during execution", () => {
    let state = at(
      given(usual.startRun, usual.openMessage),
      1_000,
      usual.openCall,
      usual.closeInput,
    );
    state = at(state, 2_000, usual.askApproval);
    state = at(state, 5_000, usual.allow);
    state = at(state, 5_500, usual.startCall);
    state = at(state, 6_000, usual.askApproval);
    state = at(state, 10_000, usual.allow);
    state = at(state, 10_250, usual.closeCall);
    expect(callOf(state, theCall)).toMatchObject({ waitedMs: 7_000, ranMs: 750, startedAt: 5_500 });
  });

  it("of a call closed while it waits counts the waiting", () => {
    const cancel: Timed = { type: "closeCall", callId: theCall, outcome: "cancelled", message: "" };
    const state = at(situations.awaitingApproval, 4_000, cancel);
    expect(callOf(state, theCall)).toMatchObject({ waitedMs: 3_000, ranMs: 0 });
  });

  it("that runs backwards never gives less than nothing", () => {
    const state = at(situations.running, 10, usual.closeCall);
    expect(callOf(state, theCall)).toMatchObject({ ranMs: 0 });
  });
});

describe("golden lives", () => {
  it.each(lives)("$name leaves no call open and ends every call that it opened", ({ log }) => {
    const state = fold(log);
    expect(openCallsOf(state)).toEqual([]);
    const opened = log.filter((event) => event.type === "call.opened").map((event) => event.callId);
    expect(opened.map((id) => callOf(state, id)?.status)).toEqual(opened.map(() => "closed"));
    expect(callOf(state, callId("nobody"))).toBeUndefined();
  });
});
