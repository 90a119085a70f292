/** Arguments that somebody changes before the call starts: what was asked stays, what runs is new. */
import { decisionResult, given, situations, theCall, usual, when } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { runInputOf } from "./callState.js";
import type { Timed } from "./intents.js";
import { createRecorder } from "./recorder.js";
import { callOf, type RunState } from "./state.js";

const { startRun, openMessage, openCall, closeInput, askApproval, allow, deny, startCall } = usual;
const asked = [startRun, openMessage, openCall, closeInput, askApproval] as const;
const input = { path: "b" };

function callIn(state: RunState) {
  const call = callOf(state, theCall);
  if (!call) throw new Error("no call");
  return call;
}

describe("an amendment", () => {
  it("changes what a call runs with, until it starts", () => {
    const running = given(...asked, { ...allow, input }, startCall);
    const call = callIn(running);
    expect(call).toMatchObject({
      status: "running",
      input: { parsed: true, value: {} },
      amendedInput: { value: input, by: "user" },
    });
    expect(runInputOf(call)).toEqual(input);
    expect(decisionResult(when(running, usual.amendInput))).toBe("alreadyRunning");
    expect(callIn(given(...asked, { ...allow, input }, startCall, usual.closeCall))).toMatchObject({
      status: "closed",
      amendedInput: { value: input, by: "user" },
    });
  });

  it("comes in one batch with the answer that carries it", () => {
    const title = "Reading b";
    const locations = [{ path: "b" }];
    const answer = when(given(...asked), { ...allow, input, title, locations });
    expect(decisionResult(answer)).toEqual([
      {
        type: "call.approval.answered",
        callId: theCall,
        approvalId: allow.approvalId,
        allowed: true,
        answeredBy: "user",
      },
      {
        type: "call.input.amended",
        callId: theCall,
        input,
        amendedBy: "user",
        title,
        locations,
      },
    ]);
  });

  it("is never part of a denial", () => {
    expect(decisionResult(when(situations.awaitingApproval, { ...deny, input }))).toBe(
      "callRefused",
    );
  });

  it("is refused with an answer to a question of a running call", () => {
    const state = given(startRun, openMessage, openCall, closeInput, startCall, askApproval);
    expect(decisionResult(when(state, { ...allow, input }))).toBe("alreadyRunning");
  });

  it("happens once before a question and once with its answer", () => {
    const before = given(startRun, openMessage, openCall, closeInput, usual.amendInput);
    expect(decisionResult(when(before, usual.amendInput))).toBe("alreadyAmended");
    const after = given(
      ...[startRun, openMessage, openCall, closeInput, usual.amendInput, askApproval],
      { ...allow, input: { path: "c" } },
    );
    expect(runInputOf(callIn(after))).toEqual({ path: "c" });
    expect(decisionResult(when(after, usual.amendInput))).toBe("alreadyAmended");
  });

  it("keeps every character of the arguments", () => {
    const recorder = createRecorder(() => 1);
    const command = "printf 'a\u0007\u001b[31m'";
    const amending: Timed = { ...usual.amendInput, input: { command } };
    for (const intent of [startRun, openMessage, openCall, closeInput, amending]) {
      expect(recorder.propose(intent).status).toBe("accepted");
    }
    expect(runInputOf(callIn(recorder.state))).toEqual({ command });
  });
});
