/** Every intent in every situation: exact events, or the exact reason why not. */
import { arbitraryLife } from "@callboard/testkit";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CallStatus } from "./callState.js";
import { type CallMove, callTable } from "./callTable.js";
import { type Decision, decide } from "./decide.js";
import type { RunEvent } from "./events/index.js";
import { evolve } from "./evolve.js";
import type { FaultCode } from "./faults.js";
import { approvalId, callId, conversationId, messageId, partId, runId } from "./ids.js";
import type { Intent, IntentType, Timed } from "./intents.js";
import { parseEventLine } from "./parse.js";
import { callOf, initialState, type RunState } from "./state.js";

const [m1, m2] = [messageId("m1"), messageId("m2")];
const [p1, p2] = [partId("p1"), partId("p2")];
const [c1, c2, c3] = [callId("c1"), callId("c2"), callId("c3")];
const ask = approvalId("ask1");
const at = 1_000;

const startRun: Timed = {
  type: "startRun",
  runId: runId("r1"),
  conversationId: conversationId("conv"),
  model: "rehearsal",
};
const openMessage: Timed = { type: "openMessage", messageId: m1, role: "assistant" };
const openCall: Timed = {
  type: "openCall",
  callId: c1,
  messageId: m1,
  toolName: "Read",
  toolType: "local",
};
const closeInput: Timed = { type: "closeInput", callId: c1, text: "{}" };
const askApproval: Timed = { type: "askApproval", callId: c1, approvalId: ask, options: [] };
const answer = (allowed: boolean): Timed => ({
  type: "answerApproval",
  callId: c1,
  approvalId: ask,
  allowed,
  answeredBy: "user",
});
const startCall: Timed = { type: "startCall", callId: c1 };
const closeOk: Timed = { type: "closeCall", callId: c1, outcome: "ok", output: "" };
const output = (text: string): Timed => ({
  type: "progressCall",
  callId: c1,
  progress: { type: "output", text },
});

const when = (state: RunState, intent: Timed): Decision => decide(state, { ...intent, at });

function given(...intents: readonly Timed[]): RunState {
  return intents.reduce<RunState>((state, intent) => {
    const decision = when(state, intent);
    if (decision.status === "refused") throw new Error(decision.refusal.message);
    return decision.state;
  }, initialState);
}

/** The events without their stamps, or the code of the refusal. */
function told(decision: Decision): FaultCode | readonly object[] {
  if (decision.status === "refused") return decision.refusal.code;
  return decision.events.map(({ v: _, runId: __, seq: ___, at: ____, ...body }) => body);
}

function eventsOf(decision: Decision): readonly RunEvent[] {
  return decision.status === "accepted" ? decision.events : [];
}

const opened = [startRun, openMessage, openCall];

/** A denial closes in the same breath; only a crash between its two events leaves a refused call. */
function refusedCall(): RunState {
  const state = given(...opened, closeInput, askApproval);
  const [denied] = eventsOf(when(state, answer(false)));
  return denied ? evolve(state, denied) : state;
}

const stateOf: Readonly<Record<CallStatus | "absent", () => RunState>> = {
  absent: () => given(startRun, openMessage),
  inputStreaming: () => given(...opened),
  ready: () => given(...opened, closeInput),
  awaitingApproval: () => given(...opened, closeInput, askApproval),
  refused: refusedCall,
  running: () => given(...opened, closeInput, startCall),
  closed: () => given(...opened, closeInput, startCall, closeOk),
};

const moves: readonly { intent: Timed; move: CallMove }[] = [
  { intent: openCall, move: "call.opened" },
  { intent: { type: "appendInput", callId: c1, text: "{" }, move: "call.input.delta" },
  { intent: { type: "appendInput", callId: c1, text: "" }, move: "call.input.delta" },
  { intent: closeInput, move: "call.input.closed" },
  { intent: askApproval, move: "call.approval.asked" },
  { intent: answer(true), move: "call.approval.answered" },
  { intent: answer(false), move: "call.approval.answered" },
  { intent: startCall, move: "call.run.started" },
  { intent: output("x"), move: "call.run.progressed" },
  {
    intent: { type: "progressCall", callId: c1, progress: { type: "heartbeat" } },
    move: "call.run.progressed",
  },
  {
    intent: { type: "closeCall", callId: c1, outcome: "cancelled", message: "stop" },
    move: "call.closed",
  },
];

const statuses = [
  "absent",
  "inputStreaming",
  "ready",
  "awaitingApproval",
  "refused",
  "running",
  "closed",
] as const satisfies readonly (CallStatus | "absent")[];

describe.each(statuses)("a call that is %s", (status) => {
  it.each(moves)("answers $intent.type as the table says ($move)", ({ intent, move }) => {
    const state = stateOf[status]();
    const decision = when(state, intent);
    const entry = callTable[status][move];
    if (typeof entry === "string") {
      expect(decision).toMatchObject({ status: "refused" });
      expect(told(decision)).toBe(entry);
      return;
    }
    if (decision.status === "refused") throw new Error(decision.refusal.message);
    const isDenial = intent.type === "answerApproval" && !intent.allowed;
    const after = callOf(decision.state, c1)?.status;
    expect(isDenial ? ["closed"] : entry).toContain(after);
  });

  it("names the call and the intent in every refusal", () => {
    for (const { intent } of moves) {
      const decision = when(stateOf[status](), intent);
      if (decision.status === "accepted") continue;
      expect(decision.refusal).toMatchObject({ intent: intent.type, callId: c1 });
      expect(decision.refusal.message).not.toBe("");
    }
  });
});

const everyIntent: Readonly<Record<Exclude<IntentType, "startRun">, Timed>> = {
  closeRun: { type: "closeRun", outcome: "ok" },
  reportStatus: { type: "reportStatus", status: "working" },
  emitData: { type: "emitData", data: 1 },
  reportError: { type: "reportError", errorType: "x", message: "y" },
  reportUsage: { type: "reportUsage", usage: { inputTokens: 1, outputTokens: 1 } },
  openMessage,
  closeMessage: { type: "closeMessage", messageId: m1 },
  appendText: { type: "appendText", messageId: m1, partId: p1, text: "a" },
  closeText: { type: "closeText", messageId: m1, partId: p1 },
  appendReasoning: { type: "appendReasoning", messageId: m1, partId: p1, text: "a" },
  closeReasoning: { type: "closeReasoning", messageId: m1, partId: p1 },
  attachImage: { type: "attachImage", messageId: m1, partId: p1, image: { data: "" } },
  openCall,
  appendInput: { type: "appendInput", callId: c1, text: "{" },
  closeInput,
  askApproval,
  answerApproval: answer(true),
  startCall,
  progressCall: output("x"),
  closeCall: closeOk,
};

describe("a run", () => {
  it.each(Object.values(everyIntent))(
    "refuses $type before its start and after its end",
    (intent) => {
      expect(told(when(initialState, intent))).toBe("runNotStarted");
      expect(told(when(given(startRun, everyIntent.closeRun), intent))).toBe("runClosed");
    },
  );

  it("starts once", () => {
    expect(told(when(given(startRun), startRun))).toBe("runAlreadyStarted");
    expect(told(when(given(startRun, everyIntent.closeRun), startRun))).toBe("runAlreadyStarted");
    expect(told(when(given(startRun), { ...startRun, runId: runId("r2") } as const))).toBe(
      "wrongRun",
    );
  });

  it("closes everything that is open: calls innermost first, then parts and messages, then itself", () => {
    const state = given(
      ...opened,
      closeInput,
      startCall,
      output("half"),
      { type: "openMessage", messageId: m2, role: "assistant", parentCallId: c1 },
      {
        type: "openCall",
        callId: c2,
        messageId: m2,
        toolName: "Grep",
        toolType: "local",
        parentCallId: c1,
      },
      { type: "appendInput", callId: c2, text: '{"a' },
      { type: "appendText", messageId: m1, partId: p2, text: "wait" },
    );
    expect(told(when(state, { type: "closeRun", outcome: "cancelled", reason: "stop" }))).toEqual([
      { type: "call.input.closed", callId: c2, parsed: false, text: '{"a', problem: "stop" },
      {
        type: "call.closed",
        callId: c2,
        outcome: "cancelled",
        errorType: "cancelled",
        message: "stop",
      },
      {
        type: "call.closed",
        callId: c1,
        outcome: "cancelled",
        errorType: "cancelled",
        message: "stop",
        output: "half",
      },
      { type: "text.closed", messageId: m1, partId: p2, text: "wait", startedAt: at },
      { type: "message.closed", messageId: m1 },
      { type: "message.closed", messageId: m2 },
      {
        type: "run.closed",
        outcome: "cancelled",
        reason: "stop",
        usage: { inputTokens: 0, outputTokens: 0 },
        calls: 2,
      },
    ]);
  });

  it.each([
    ["ok", "interrupted"],
    ["error", "interrupted"],
    ["limit", "interrupted"],
    ["interrupted", "interrupted"],
    ["cancelled", "cancelled"],
    ["timeout", "timeout"],
  ] as const)("that ends as %s closes its calls as %s", (outcome, expected) => {
    const events = eventsOf(when(given(...opened, closeInput), { type: "closeRun", outcome }));
    expect(events.find((event) => event.type === "call.closed")?.outcome).toBe(expected);
  });
});

describe("messages and parts", () => {
  const text = everyIntent.appendText;
  const closed = given(startRun, openMessage, text, everyIntent.closeMessage);

  it("refuse what concerns a message that was never opened or is closed", () => {
    const inMessage = [
      everyIntent.closeMessage,
      text,
      everyIntent.closeText,
      everyIntent.appendReasoning,
      everyIntent.closeReasoning,
      everyIntent.attachImage,
      openCall,
    ];
    for (const intent of inMessage) {
      expect(told(when(given(startRun), intent)), intent.type).toBe("unknownMessage");
      expect(told(when(closed, intent)), intent.type).toBe("messageClosed");
    }
    expect(told(when(closed, openMessage))).toBe("messageAlreadyOpened");
  });

  it("close the part before the next one begins", () => {
    const state = given(startRun, openMessage, text, {
      ...text,
      type: "appendText",
      messageId: m1,
      partId: p1,
      text: "bc",
    });
    const closing = { type: "text.closed", messageId: m1, partId: p1, text: "abc", startedAt: at };
    const reasoning: Timed = { type: "appendReasoning", messageId: m1, partId: p2, text: "r" };
    expect(told(when(state, reasoning))).toEqual([
      closing,
      { type: "reasoning.delta", messageId: m1, partId: p2, text: "r", offset: 0 },
    ]);
    expect(told(when(state, openCall))).toMatchObject([closing, { type: "call.opened" }]);
    expect(told(when(state, everyIntent.closeMessage))).toMatchObject([
      closing,
      { type: "message.closed" },
    ]);
    const image: Timed = { type: "attachImage", messageId: m1, partId: p2, image: { data: "" } };
    expect(told(when(state, image))).toMatchObject([closing, { type: "image.attached" }]);
  });

  it("refuse a part that is closed, of another kind or in another message", () => {
    const state = given(startRun, openMessage, text);
    expect(told(when(state, everyIntent.appendReasoning))).toBe("partMismatch");
    expect(told(when(state, everyIntent.closeReasoning))).toBe("partMismatch");
    const twoMessages = given(startRun, openMessage, text, {
      type: "openMessage",
      messageId: m2,
      role: "assistant",
    });
    const elsewhere: Timed = { type: "appendText", messageId: m2, partId: p1, text: "a" };
    expect(told(when(twoMessages, elsewhere))).toBe("partMismatch");
    const after = given(startRun, openMessage, text, everyIntent.closeText);
    expect(told(when(after, text))).toBe("partClosed");
    expect(told(when(after, everyIntent.closeText))).toBe("partClosed");
  });

  it("count offsets in UTF-16 units and add nothing for no text", () => {
    const emoji: Timed = { type: "appendText", messageId: m1, partId: p1, text: "😀" };
    const nothing: Timed = { type: "appendText", messageId: m1, partId: p1, text: "" };
    const state = given(startRun, openMessage, nothing, emoji, nothing);
    expect(state.seq).toBe(3);
    expect(told(when(state, emoji))).toMatchObject([{ offset: 2 }]);
  });
});

describe("calls in families", () => {
  const parent = [...opened, closeInput, startCall];
  const nested = (callId: typeof c1, parentCallId: typeof c1): Timed => ({
    type: "openCall",
    callId,
    messageId: m1,
    toolName: "Grep",
    toolType: "local",
    parentCallId,
  });

  it("need a parent that is open", () => {
    expect(told(when(given(...parent), nested(c2, c3)))).toBe("unknownParent");
    expect(told(when(given(...parent, closeOk), nested(c2, c1)))).toBe("parentClosed");
    const message: Timed = {
      type: "openMessage",
      messageId: m2,
      role: "assistant",
      parentCallId: c1,
    };
    expect(told(when(given(startRun), message))).toBe("unknownParent");
    expect(told(when(given(...parent, closeOk), message))).toBe("parentClosed");
  });

  it("close with the call that they work for, grandchildren first", () => {
    const state = given(...parent, nested(c2, c1), nested(c3, c2));
    const ids = eventsOf(when(state, closeOk))
      .filter((event) => event.type === "call.closed")
      .map((event) => [event.callId, event.outcome]);
    expect(ids).toEqual([
      [c3, "cancelled"],
      [c2, "cancelled"],
      [c1, "ok"],
    ]);
  });

  it("may be opened in their parent's message although it is closed", () => {
    const state = given(...parent, everyIntent.closeMessage);
    expect(told(when(state, nested(c2, c1)))).toMatchObject([{ type: "call.opened" }]);
    const orphan: Timed = { ...openCall, callId: c2 } as const;
    expect(told(when(state, orphan))).toBe("messageClosed");
  });
});

describe("arguments and approvals", () => {
  it("that do not parse never run", () => {
    const state = given(...opened, { type: "closeInput", callId: c1, text: "{oops" });
    expect(told(when(state, startCall))).toBe("inputNotParsed");
    const cut = given(...opened, { type: "closeInput", callId: c1, text: "{}", problem: "cut" });
    expect(told(when(cut, startCall))).toBe("inputNotParsed");
  });

  it("keep the raw text only where the value does not give it back", () => {
    const close = (text: string) =>
      told(when(given(...opened), { type: "closeInput", callId: c1, text }));
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
    expect(told(when(stateOf.awaitingApproval(), wrong))).toBe("wrongApproval");
  });

  it("end a denied call in the same breath, with what it had put out", () => {
    const running = given(...opened, closeInput, startCall, output("half"), askApproval);
    expect(told(when(running, answer(false)))).toEqual([
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

describe("decide and evolve agree", () => {
  it("on every life: what was accepted folds without a fault and survives a line of JSON", () => {
    fc.assert(
      fc.property(arbitraryLife, ({ log }) => {
        const state = log.reduce(evolve, initialState);
        expect(state.faultCount).toBe(0);
        expect(state.seq).toBe(log.length);
        for (const event of log) {
          expect(parseEventLine(JSON.stringify(event))).toEqual({ status: "parsed", event });
        }
      }),
      { numRuns: 60 },
    );
  });

  it("on the state: what decide hands back is what the events fold to", () => {
    for (const status of statuses) {
      const state = stateOf[status]();
      for (const intent of Object.values(everyIntent)) {
        const decision = decide(state, { ...intent, at } satisfies Intent);
        if (decision.status === "refused") continue;
        expect(decision.state).toEqual(decision.events.reduce(evolve, state));
      }
    }
  });
});
