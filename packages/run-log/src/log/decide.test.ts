/** Every intent where it is legal and where it is not: exact events, or the exact reason. */
import {
  decisionResult,
  eventsOf,
  given,
  situationTime,
  theCall,
  theMessage,
  usual,
  when,
} from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import { decideAt } from "./decide.js";
import type { RunEvent } from "./events/index.js";
import { callId, messageId, partId, runId } from "./ids.js";
import type { IntentType, Timed } from "./intents.js";
import { initialState } from "./state.js";

const { startRun, openMessage, openCall, closeInput, startCall, closeCall } = usual;
const [at, m1, c1] = [situationTime, theMessage, theCall];
const m2 = messageId("m2");
const [p1, p2] = [partId("p1"), partId("p2")];
const [c2, c3] = [callId("c2"), callId("c3")];
const opened = [startRun, openMessage, openCall] as const;

const everyIntent: Readonly<Record<Exclude<IntentType, "startRun">, Timed>> = {
  closeRun: { type: "closeRun", outcome: "ok" },
  parkRun: { type: "parkRun" },
  resumeRun: { type: "resumeRun" },
  reportStatus: { type: "reportStatus", status: "working" },
  emitData: { type: "emitData", data: 1 },
  reportError: { type: "reportError", errorType: "x", message: "y" },
  reportUsage: { type: "reportUsage", usage: { inputTokens: 1, outputTokens: 1 } },
  compactContext: {
    type: "compactContext",
    cause: "asked",
    summary: "s",
    model: "m",
    before: { tokens: 2 },
    after: { tokens: 1 },
  },
  noteHook: { type: "noteHook", hook: "policy", moment: "promptSubmit", decision: "allow" },
  queueMessage: { type: "queueMessage", messageId: m2, text: "later", delivery: "run" },
  requeueMessage: { type: "requeueMessage", messageId: m2, text: "now", delivery: "step" },
  removeQueued: { type: "removeQueued", messageId: m2 },
  deliverQueued: { type: "deliverQueued", messageId: m2 },
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
  amendInput: usual.amendInput,
  askApproval: usual.askApproval,
  answerApproval: usual.allow,
  startCall,
  progressCall: usual.print,
  closeCall,
};

describe("a run", () => {
  it("closes what is being said when it is parked", () => {
    const { appendText, askApproval, parkRun } = everyIntent;
    const waiting = given(...opened, appendText, closeInput, askApproval);
    expect(decisionResult(when(waiting, parkRun))).toEqual([
      { type: "text.closed", messageId: m1, partId: p1, text: "a", startedAt: at },
      { type: "run.parked" },
    ]);
  });

  it.each(Object.values(everyIntent))(
    "refuses $type before its start and after its end",
    (intent) => {
      expect(decisionResult(when(initialState, intent))).toBe("runNotStarted");
      expect(decisionResult(when(given(startRun, everyIntent.closeRun), intent))).toBe("runClosed");
    },
  );

  it("starts once", () => {
    expect(decisionResult(when(given(startRun), startRun))).toBe("runAlreadyStarted");
    expect(decisionResult(when(given(startRun, everyIntent.closeRun), startRun))).toBe(
      "runAlreadyStarted",
    );
    expect(
      decisionResult(when(given(startRun), { ...startRun, runId: runId("r2") } as const)),
    ).toBe("wrongRun");
  });

  it("closes everything that is open: calls and their agents innermost first, then messages, then itself", () => {
    const state = given(
      ...opened,
      closeInput,
      startCall,
      usual.print,
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
    expect(
      decisionResult(when(state, { type: "closeRun", outcome: "cancelled", reason: "stop" })),
    ).toEqual([
      { type: "call.input.closed", callId: c2, parsed: false, text: '{"a', problem: "stop" },
      {
        type: "call.closed",
        callId: c2,
        outcome: "cancelled",
        errorType: "cancelled",
        message: "stop",
      },
      { type: "message.closed", messageId: m2 },
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
      expect(decisionResult(when(given(startRun), intent)), intent.type).toBe("unknownMessage");
      expect(decisionResult(when(closed, intent)), intent.type).toBe("messageClosed");
    }
    expect(decisionResult(when(closed, openMessage))).toBe("messageAlreadyOpened");
  });

  it("close the part before the next one starts", () => {
    const state = given(startRun, openMessage, text, {
      ...text,
      type: "appendText",
      messageId: m1,
      partId: p1,
      text: "bc",
    });
    const closing = { type: "text.closed", messageId: m1, partId: p1, text: "abc", startedAt: at };
    const reasoning: Timed = { type: "appendReasoning", messageId: m1, partId: p2, text: "r" };
    expect(decisionResult(when(state, reasoning))).toEqual([
      closing,
      { type: "reasoning.delta", messageId: m1, partId: p2, text: "r", offset: 0 },
    ]);
    expect(decisionResult(when(state, openCall))).toMatchObject([closing, { type: "call.opened" }]);
    expect(decisionResult(when(state, everyIntent.closeMessage))).toMatchObject([
      closing,
      { type: "message.closed" },
    ]);
    const image: Timed = { type: "attachImage", messageId: m1, partId: p2, image: { data: "" } };
    expect(decisionResult(when(state, image))).toMatchObject([closing, { type: "image.attached" }]);
  });

  it("refuse a part that is closed, of another kind or in another message", () => {
    const state = given(startRun, openMessage, text);
    expect(decisionResult(when(state, everyIntent.appendReasoning))).toBe("partMismatch");
    expect(decisionResult(when(state, everyIntent.closeReasoning))).toBe("partMismatch");
    const twoMessages = given(startRun, openMessage, text, {
      type: "openMessage",
      messageId: m2,
      role: "assistant",
    });
    const elsewhere: Timed = { type: "appendText", messageId: m2, partId: p1, text: "a" };
    expect(decisionResult(when(twoMessages, elsewhere))).toBe("partMismatch");
    const after = given(startRun, openMessage, text, everyIntent.closeText);
    expect(decisionResult(when(after, text))).toBe("partClosed");
    expect(decisionResult(when(after, everyIntent.closeText))).toBe("partClosed");
  });

  it("count offsets in UTF-16 units and add nothing for no text", () => {
    const emoji: Timed = { type: "appendText", messageId: m1, partId: p1, text: "😀" };
    const nothing: Timed = { type: "appendText", messageId: m1, partId: p1, text: "" };
    const state = given(startRun, openMessage, nothing, emoji, nothing);
    expect(state.seq).toBe(3);
    expect(decisionResult(when(state, emoji))).toMatchObject([{ offset: 2 }]);
  });

  it("refuse no text, too, where text would be refused", () => {
    const nothing: Timed = { type: "appendText", messageId: m1, partId: p1, text: "" };
    expect(decisionResult(when(closed, nothing))).toBe("messageClosed");
    expect(decisionResult(when(given(startRun), nothing))).toBe("unknownMessage");
    const after = given(startRun, openMessage, text, everyIntent.closeText);
    expect(decisionResult(when(after, nothing))).toBe("partClosed");
    expect(decisionResult(when(given(startRun, openMessage, text), nothing))).toEqual([]);
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
    expect(decisionResult(when(given(...parent), nested(c2, c3)))).toBe("unknownParent");
    expect(decisionResult(when(given(...parent, closeCall), nested(c2, c1)))).toBe("parentClosed");
    const message: Timed = {
      type: "openMessage",
      messageId: m2,
      role: "assistant",
      parentCallId: c1,
    };
    expect(decisionResult(when(given(startRun), message))).toBe("unknownParent");
    expect(decisionResult(when(given(...parent, closeCall), message))).toBe("parentClosed");
  });

  it("close with the call that they work for, grandchildren first", () => {
    const state = given(...parent, nested(c2, c1), nested(c3, c2));
    const ids = eventsOf(when(state, closeCall))
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
    expect(decisionResult(when(state, nested(c2, c1)))).toMatchObject([{ type: "call.opened" }]);
    const orphan: Timed = { ...openCall, callId: c2 } as const;
    expect(decisionResult(when(state, orphan))).toBe("messageClosed");
  });
});

describe("what a provider wants back", () => {
  const providerData = { provider: "some", data: { a: { b: "\u0085\u001b" } } };

  it("may come after text: the text is closed before it", () => {
    const state = given(startRun, openMessage, {
      type: "appendText",
      messageId: m1,
      partId: p1,
      text: "Hi",
    });
    const hidden: Timed = { type: "closeReasoning", messageId: m1, partId: p2, providerData };
    expect(decisionResult(when(state, hidden))).toMatchObject([
      { type: "text.closed", partId: p1, text: "Hi" },
      { type: "reasoning.closed", partId: p2, text: "", providerData },
    ]);
  });

  it("is kept with a call's arguments, whether they parse or not", () => {
    for (const text of ["{}", "{"]) {
      const state = given(...opened);
      const closing: Timed = { type: "closeInput", callId: c1, text, providerData };
      expect(decisionResult(when(state, closing))).toMatchObject([
        { type: "call.input.closed", providerData },
      ]);
    }
  });
});

describe("text that grows", () => {
  const said: Timed = { type: "appendText", messageId: m1, partId: p1, text: "abc" };
  const thought: Timed = { ...said, type: "appendReasoning" };
  const argument: Timed = { type: "appendInput", callId: c1, text: '{"a":' };
  const running = [...opened, closeInput, startCall] as const;
  const growing: readonly (readonly [string, readonly Timed[], Timed, number])[] = [
    ["text", [startRun, openMessage], said, 3],
    ["reasoning", [startRun, openMessage], thought, 3],
    ["arguments", opened, argument, 5],
    ["output", running, usual.print, 4],
  ];

  function offsetOf(event: RunEvent | undefined): number | undefined {
    const grown = event?.type === "call.run.progressed" ? event.progress : event;
    return grown !== undefined && "offset" in grown ? grown.offset : undefined;
  }

  it.each(growing)(
    "of %s begins where it ended, by the short way and the long one",
    (_, before, intent, appendedLength) => {
      const [first] = eventsOf(when(given(...before), intent));
      const state = given(...before, intent);
      const [second] = eventsOf(when(state, intent));
      expect(offsetOf(first)).toBe(0);
      expect(offsetOf(second)).toBe(appendedLength);
      expect(decideAt(state, intent, at)).toEqual(when(state, intent));
    },
  );

  it.each(growing)("of %s may begin at the epoch, and not before it", (_, before, intent) => {
    const state = given(...before);
    expect(decideAt(state, intent, 0)).toMatchObject({ status: "accepted", events: [{ at: 0 }] });
    expect(when(state, intent, 0)).toEqual(decideAt(state, intent, 0));
    const refusal = { code: "malformed" };
    expect(decideAt(state, intent, -1)).toMatchObject({ status: "refused", refusal });
  });
});
