/** What a log still owes, at every stage of a call: exact events, and nothing owed twice. */
import {
  arbitraryLife,
  bodiesOf,
  callStatuses,
  eventsOf,
  given,
  searchCount,
  situations,
  situationTime,
  theCall,
  theMessage,
  usual,
  when,
} from "@callboard/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { closeOpenCalls, closeOpenWork, parsedInput } from "./closing.js";
import { evolve } from "./evolve.js";
import { callId, messageId, partId } from "./ids.js";
import type { ClosingReason, Timed } from "./intents.js";
import { initialState, openCallsOf, type RunState } from "./state.js";

const reason = { at: 9_000, outcome: "interrupted", message: "the process died" } as const;
const interrupted = {
  type: "call.closed",
  callId: theCall,
  outcome: "interrupted",
  errorType: "interrupted",
  message: "the process died",
};

const owed = (state: RunState, why: ClosingReason = reason): readonly object[] =>
  bodiesOf(closeOpenCalls(state, why));

const opened = [usual.startRun, usual.openMessage, usual.openCall] as const;
const half: Timed = { type: "appendInput", callId: theCall, text: '{"a' };

describe("closeOpenCalls", () => {
  it.each([
    ["absent", []],
    [
      "inputStreaming",
      [
        {
          type: "call.input.closed",
          callId: theCall,
          parsed: false,
          text: "",
          problem: "the process died",
        },
        interrupted,
      ],
    ],
    ["ready", [interrupted]],
    ["awaitingApproval", [interrupted]],
    [
      "refused",
      [
        {
          type: "call.closed",
          callId: theCall,
          outcome: "denied",
          errorType: "denied",
          message: "denied by user",
        },
      ],
    ],
    ["running", [interrupted]],
    ["closed", []],
  ] as const)("a call that is %s", (status, events) => {
    expect(owed(situations[status])).toEqual(events);
  });

  it("covers every status", () => {
    expect(callStatuses.length).toBe(7);
  });

  it("keeps the arguments that came and the output that was printed", () => {
    expect(owed(given(...opened, half))).toMatchObject([
      { text: '{"a', parsed: false },
      interrupted,
    ]);
    const running = given(...opened, usual.closeInput, usual.startCall, usual.print);
    expect(owed(running)).toEqual([{ ...interrupted, output: "half" }]);
    const asked = given(
      ...opened,
      usual.closeInput,
      usual.startCall,
      usual.print,
      usual.askApproval,
    );
    expect(owed(asked)).toEqual([{ ...interrupted, output: "half" }]);
  });

  it("says the outcome, the error type and the time that it is told", () => {
    const why = { at: 77, outcome: "timeout", message: "too late", errorType: "deadline" } as const;
    expect(closeOpenCalls(situations.running, why)).toEqual([
      {
        v: 1,
        runId: usual.startRun.runId,
        seq: situations.running.seq + 1,
        at: 77,
        type: "call.closed",
        callId: theCall,
        outcome: "timeout",
        errorType: "deadline",
        message: "too late",
      },
    ]);
  });

  it("closes nested calls before the call that they work for", () => {
    const child = { ...usual.openCall, callId: callId("c2"), parentCallId: theCall };
    const grandchild = { ...usual.openCall, callId: callId("c3"), parentCallId: callId("c2") };
    const beside = { ...usual.openCall, callId: callId("c4") };
    const state = given(...opened, usual.closeInput, usual.startCall, child, grandchild, beside, {
      type: "closeMessage",
      messageId: theMessage,
    });
    const closed = closeOpenCalls(state, reason).filter((event) => event.type === "call.closed");
    expect(closed.map((event) => event.callId)).toEqual(["c4", "c3", "c2", "c1"]);
  });

  it("closes the messages of a nested agent before the call that it works for", () => {
    const [m2, m3, p2] = [messageId("m2"), messageId("m3"), partId("p2")];
    const child = { ...usual.openCall, callId: callId("c2"), messageId: m2, parentCallId: theCall };
    const state = given(
      ...opened,
      usual.closeInput,
      usual.startCall,
      { ...usual.openMessage, messageId: m2, parentCallId: theCall },
      child,
      { ...usual.openMessage, messageId: m3, parentCallId: callId("c2") },
      { type: "appendText", messageId: m2, partId: p2, text: "so far" },
    );
    const childInput = { type: "call.input.closed", callId: "c2", parsed: false, text: "" };
    expect(owed(state)).toEqual([
      { type: "message.closed", messageId: m3 },
      { ...childInput, problem: "the process died" },
      { ...interrupted, callId: "c2" },
      { type: "text.closed", messageId: m2, partId: p2, text: "so far", startedAt: situationTime },
      { type: "message.closed", messageId: m2 },
      interrupted,
    ]);
    expect(closeOpenCalls(state, reason).reduce(evolve, state)).toMatchObject({ faultCount: 0 });
  });

  it("closes a refused call with the words of the denial, where there were any", () => {
    const asked = situations.awaitingApproval;
    const [denied] = eventsOf(when(asked, { ...usual.deny, message: "not now" }));
    const refused = denied ? evolve(asked, denied) : asked;
    expect(owed(refused)).toMatchObject([{ outcome: "denied", message: "not now" }]);
  });

  it("owes nothing before the start and after the end", () => {
    expect(owed(initialState)).toEqual([]);
    expect(owed(given(usual.startRun, usual.closeRun))).toEqual([]);
  });

  it("leaves nothing open, adds no fault and closes nothing twice, wherever a run stops", () => {
    fc.assert(
      fc.property(arbitraryLife, fc.nat(), ({ log }, cut) => {
        const past = log.slice(0, cut % (log.length + 1));
        const state = past.reduce(evolve, initialState);
        const after = closeOpenCalls(state, reason).reduce(evolve, state);
        expect(openCallsOf(after)).toEqual([]);
        expect(after.faultCount).toBe(0);
        expect(closeOpenCalls(after, reason)).toEqual([]);
      }),
      { numRuns: searchCount(100) },
    );
  });
});

describe("closeOpenWork", () => {
  it("closes calls first, then what was being said, and leaves the run open", () => {
    const p2 = partId("p2");
    const user = { ...usual.openMessage, messageId: messageId("m2"), role: "user" } as const;
    const state = given(...opened, usual.closeInput, user, {
      type: "appendText",
      messageId: theMessage,
      partId: p2,
      text: "so far",
    });
    expect(bodiesOf(closeOpenWork(state, reason))).toEqual([
      interrupted,
      {
        type: "text.closed",
        messageId: theMessage,
        partId: p2,
        text: "so far",
        startedAt: situationTime,
      },
      { type: "message.closed", messageId: theMessage },
      { type: "message.closed", messageId: "m2" },
    ]);
  });

  it("owes nothing before the start and after the end", () => {
    expect(closeOpenWork(initialState, reason)).toEqual([]);
    expect(closeOpenWork(given(usual.startRun, usual.closeRun), reason)).toEqual([]);
  });

  it("leaves nothing open but the run, adds no fault and owes nothing twice, wherever a life stops", () => {
    fc.assert(
      fc.property(arbitraryLife, fc.nat(), ({ log }, cut) => {
        const past = log.slice(0, cut % (log.length + 1));
        const state = past.reduce(evolve, initialState);
        const after = closeOpenWork(state, reason).reduce(evolve, state);
        expect(after.status).toBe(state.status);
        expect(after.faultCount).toBe(0);
        expect(closeOpenWork(after, reason)).toEqual([]);
      }),
      { numRuns: searchCount(100) },
    );
  });
});

describe("parsedInput", () => {
  it.each([
    ["", { parsed: true, input: {}, text: "" }],
    [" \n", { parsed: true, input: {}, text: " \n" }],
    ["null", { parsed: true, input: null }],
    ['{"b":1,"a":[]}', { parsed: true, input: { b: 1, a: [] } }],
    ['{"a":1.0}', { parsed: true, input: { a: 1 }, text: '{"a":1.0}' }],
    ['{"a":1,"a":2}', { parsed: true, input: { a: 2 }, text: '{"a":1,"a":2}' }],
  ])("reads %j", (text, expected) => {
    expect(parsedInput(text)).toEqual(expected);
  });

  it.each(["{", "{'a':1}", "nul", '{"a":1}}', "\u0000"])(
    "keeps %j as it is and says why",
    (text) => {
      const input = parsedInput(text);
      expect(input).toMatchObject({ parsed: false, text });
      expect(input.parsed || input.problem).not.toBe("");
    },
  );

  it("refuses JSON that is nested more than 500 deep", () => {
    const lists = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
    expect(parsedInput(lists(500)).parsed).toBe(true);
    for (const depth of [501, 100_000]) {
      const text = lists(depth);
      const problem = parsedInput(text);
      expect(problem).toEqual({ parsed: false, text, problem: "nested more than 500 deep" });
    }
  });

  it("gives back the text of any JSON value", () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const input = parsedInput(text);
        expect(input.text ?? JSON.stringify(input.parsed ? input.input : "")).toBe(text);
      }),
    );
  });
});
