/** Arguments and approvals: what may be asked, what may run, and what ends well. */
import {
  theApproval as ask,
  theCall as c1,
  decisionResult,
  given,
  situations,
  usual,
  when,
} from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { approvalId, callId, messageId } from "./ids.js";
import type { Timed } from "./intents.js";

const { startRun, openMessage, openCall, closeInput, startCall, closeCall } = usual;
const opened = [startRun, openMessage, openCall] as const;

describe("what works for a call", () => {
  const nestedCall = { ...openCall, callId: callId("nested"), parentCallId: c1 } as const;
  const nestedMessage = {
    ...openMessage,
    messageId: messageId("nested"),
    parentCallId: c1,
  } as const;

  it("starts only while the call is open", () => {
    for (const intent of [nestedCall, nestedMessage]) {
      expect(when(situations.running, intent).status).toBe("accepted");
      expect(decisionResult(when(situations.closed, intent))).toBe("parentClosed");
    }
  });

  it("names a call that is there", () => {
    for (const intent of [nestedCall, nestedMessage]) {
      const lost = { ...intent, parentCallId: callId("nobody") };
      expect(decisionResult(when(situations.running, lost))).toBe("unknownParent");
    }
  });
});

describe("arguments and approvals", () => {
  it("a call ends well only when it runs", () => {
    for (const status of ["inputStreaming", "ready", "awaitingApproval", "refused"] as const) {
      expect(decisionResult(when(situations[status], closeCall)), status).toBe("notRunning");
    }
    expect(decisionResult(when(situations.running, closeCall))).toMatchObject([{ outcome: "ok" }]);
  });

  it("that do not parse never run", () => {
    const state = given(...opened, { type: "closeInput", callId: c1, text: "{oops" });
    expect(decisionResult(when(state, startCall))).toBe("inputNotParsed");
    const cut = given(...opened, { type: "closeInput", callId: c1, text: "{}", problem: "cut" });
    expect(decisionResult(when(cut, startCall))).toBe("inputNotParsed");
  });

  it("that do not parse are not asked about", () => {
    const state = given(...opened, { type: "closeInput", callId: c1, text: "{oops" });
    expect(decisionResult(when(state, usual.askApproval))).toBe("inputNotParsed");
    expect(decisionResult(when(situations.ready, usual.askApproval))).toMatchObject([
      { type: "call.approval.asked" },
    ]);
  });

  it("keep the raw text only where the value does not give it back", () => {
    const close = (text: string) =>
      decisionResult(when(given(...opened), { type: "closeInput", callId: c1, text }));
    expect(close('{"a":1}')).toEqual([
      { type: "call.input.closed", callId: c1, parsed: true, input: { a: 1 } },
    ]);
    expect(close('{ "a": 1 }')).toMatchObject([
      { parsed: true, input: { a: 1 }, text: '{ "a": 1 }' },
    ]);
    expect(close("")).toMatchObject([{ parsed: true, input: {}, text: "" }]);
    expect(close("{")).toMatchObject([{ parsed: false, text: "{" }]);
  });

  it("answers only the question that is pending", () => {
    const wrong: Timed = {
      type: "answerApproval",
      callId: c1,
      approvalId: approvalId("ask2"),
      allowed: true,
      answeredBy: "user",
    };
    expect(decisionResult(when(situations.awaitingApproval, wrong))).toBe("wrongApproval");
  });

  it("end a denied call in the same decision, with its output so far", () => {
    const running = given(...opened, closeInput, startCall, usual.print, usual.askApproval);
    expect(decisionResult(when(running, usual.deny))).toEqual([
      {
        type: "call.approval.answered",
        callId: c1,
        approvalId: ask,
        allowed: false,
        answeredBy: "user",
      },
      {
        type: "call.closed",
        callId: c1,
        outcome: "denied",
        errorType: "denied",
        message: "denied by user",
        output: "half",
      },
    ]);
  });
});

it.each([
  ["a0f2c7d4-1111-4222-8333-944445555666", "denied by a user"],
  ["answer link a0f2c7d4-1111-4222-8333-944445555666", "denied by answer link"],
  ["deadline", "denied by deadline"],
])("a denial by %s is told as: %s", (answeredBy, message) => {
  const events = decisionResult(when(situations.awaitingApproval, { ...usual.deny, answeredBy }));
  expect(events).toMatchObject([{ answeredBy }, { type: "call.closed", message }]);
});

describe("output", () => {
  const silence: Timed = {
    type: "progressCall",
    callId: c1,
    progress: { type: "output", text: "" },
  };

  it("of no text adds nothing while the call runs, and is refused where it does not", () => {
    expect(decisionResult(when(situations.running, silence))).toEqual([]);
    expect(decisionResult(when(situations.ready, silence))).toBe("notRunning");
    expect(decisionResult(when(situations.awaitingApproval, silence))).toBe("approvalPending");
    expect(decisionResult(when(situations.closed, silence))).toBe("callClosed");
  });
});
