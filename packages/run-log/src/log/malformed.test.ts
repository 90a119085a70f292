/** A writer is refused what a reader would refuse: nothing is written that could not be read again. */
import {
  decisionResult,
  given,
  searchCount,
  situations,
  theCall,
  theMessage,
  usual,
  when,
} from "@callboard/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonValue } from "../values/json.js";
import { approvalId, callId, partId } from "./ids.js";
import type { ProgressReport, Timed } from "./intents.js";
import { parseEvent } from "./parse.js";

const { startRun, openMessage, openCall } = usual;

const progress = (report: ProgressReport): Timed => ({
  type: "progressCall",
  callId: theCall,
  progress: report,
});

/** Lists in lists, `depth` of them. */
function nested(depth: number): JsonValue {
  let value: JsonValue = [];
  for (let level = 1; level < depth; level += 1) value = [value];
  return value;
}

describe("decide refuses as malformed", () => {
  it.each([
    ["a call without a name", situations.absent, { ...openCall, toolName: "" }],
    ["a turn that is no count", situations.absent, { ...openCall, iteration: -1 }],
    ["an empty status", situations.absent, { type: "reportStatus", status: "" }],
    ["data too deep", situations.absent, { type: "emitData", data: nested(501) }],
    ["101 percent", situations.running, progress({ type: "message", message: "", percent: 101 })],
    ["a step without a name", situations.running, progress({ type: "step", step: "" })],
    ["attempt 0", situations.running, progress({ type: "retry", attempt: 0, reason: "" })],
    ["half an exit code", situations.running, { ...usual.closeCall, exitCode: 0.5 }],
    ["an answer by nobody", situations.awaitingApproval, { ...usual.allow, answeredBy: "" }],
    ["a deadline before time", situations.ready, { ...usual.startCall, expiresAt: -1 }],
  ] as const)("%s", (_, state, intent) => {
    expect(decisionResult(when(state, intent))).toBe("malformed");
  });

  it("and says which field it is", () => {
    expect(when(situations.absent, { ...openCall, toolName: "" })).toMatchObject({
      status: "refused",
      refusal: { intent: "openCall", message: expect.stringContaining("toolName") },
    });
  });

  it("nothing that lies on the border", () => {
    const hundred = progress({ type: "message", message: "", percent: 100 });
    expect(decisionResult(when(situations.running, hundred))).toMatchObject([
      { progress: { percent: 100 } },
    ]);
    expect(
      decisionResult(when(situations.absent, { type: "emitData", data: nested(500) })),
    ).toHaveLength(1);
  });
});

const number = fc.oneof({ weight: 6, arbitrary: fc.nat(100) }, fc.double(), fc.integer());
const json = fc.oneof(
  { weight: 6, arbitrary: fc.json().map((text): JsonValue => JSON.parse(text)) },
  fc.integer({ min: 495, max: 505 }).map(nested),
  fc.constant(Number.NaN),
);
const data = fc.dictionary(fc.oneof(fc.string(), fc.constant("__proto__")), json);
const word = fc.oneof(
  { weight: 6, arbitrary: fc.string({ minLength: 1, maxLength: 3 }) },
  fc.constant(""),
);
const calls = fc.constantFrom(theCall, callId("c2"));
const approvals = fc.constantFrom(approvalId("ask1"), approvalId("ask2"));
const usage = fc.record({ inputTokens: number, outputTokens: number, costUsd: number });
const ofPart = { messageId: fc.constant(theMessage), partId: fc.constantFrom(partId("p1")) };

const report: fc.Arbitrary<ProgressReport> = fc.oneof(
  fc.record({ type: fc.constant("message"), message: word, percent: number }),
  fc.record({ type: fc.constant("step"), step: word, data }),
  fc.record({ type: fc.constant("output"), text: word }),
  fc.record({ type: fc.constant("retry"), attempt: number, reason: word }),
  fc.record({ type: fc.constant("terminal"), terminalId: word }),
  fc.record({
    type: fc.constant("locations"),
    locations: fc.array(fc.record({ path: word, line: number })),
  }),
);

/** Intents that the types allow and a careless writer might send. */
const careless: fc.Arbitrary<Timed> = fc.oneof(
  fc.record({ type: fc.constant("reportStatus"), status: word, metadata: data }),
  fc.record({ type: fc.constant("reportError"), errorType: word, message: word, details: data }),
  fc.record({ type: fc.constant("reportUsage"), usage }),
  fc.record({ type: fc.constant("emitData"), data: json }),
  fc.record({ type: fc.constant("appendText"), ...ofPart, text: word }),
  fc.record({ type: fc.constant("closeText"), ...ofPart }),
  fc.record({
    type: fc.constant("openCall"),
    callId: calls,
    messageId: fc.constant(theMessage),
    toolName: word,
    toolType: fc.constant("local"),
    iteration: number,
  }),
  fc.record({ type: fc.constant("appendInput"), callId: calls, text: word }),
  fc.record({
    type: fc.constant("closeInput"),
    callId: calls,
    text: json.map((value) => JSON.stringify(value)),
    locations: fc.array(fc.record({ path: word, line: number }), { maxLength: 1 }),
  }),
  fc.record({
    type: fc.constant("askApproval"),
    callId: calls,
    approvalId: approvals,
    options: fc.array(fc.record({ optionId: word, name: word, kind: fc.constant("allow_once") }), {
      maxLength: 1,
    }),
    expiresAt: number,
  }),
  fc.record({
    type: fc.constant("answerApproval"),
    callId: calls,
    approvalId: approvals,
    allowed: fc.boolean(),
    answeredBy: word,
  }),
  fc.record({ type: fc.constant("startCall"), callId: calls }),
  fc.record({ type: fc.constant("startCall"), callId: calls, expiresAt: number }),
  fc.record({ type: fc.constant("progressCall"), callId: calls, progress: report }),
  fc.record({
    type: fc.constant("closeCall"),
    callId: calls,
    outcome: fc.constant("ok"),
    output: word,
    retries: number,
    metadata: data,
  }),
  fc.record({
    type: fc.constant("closeCall"),
    callId: calls,
    outcome: fc.constantFrom("error", "timeout"),
    errorType: word,
    message: word,
    usage,
  }),
);

describe("what decide accepts", () => {
  it("parses and comes back as it was, whatever a careless writer asks for", () => {
    // In 20 runs a writer is accepted about 100 times and refused about 50 times.
    const numRuns = Math.max(20, searchCount(200));
    const seen = { accepted: 0, malformed: 0 };
    const begun = given(startRun, openMessage, openCall);
    fc.assert(
      fc.property(fc.array(careless, { maxLength: 40, size: "max" }), (intents) => {
        let state = begun;
        for (const intent of intents) {
          const decision = when(state, intent);
          if (decision.status === "refused") {
            if (decision.refusal.code === "malformed") seen.malformed += 1;
            continue;
          }
          state = decision.state;
          seen.accepted += decision.events.length;
          for (const event of decision.events) {
            expect(parseEvent(event)).toEqual({ status: "parsed", event });
          }
        }
      }),
      { numRuns },
    );
    expect(seen.accepted).toBeGreaterThan(numRuns);
    expect(seen.malformed).toBeGreaterThan(numRuns / 4);
  });
});
