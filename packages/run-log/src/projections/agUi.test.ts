/** A run on AG-UI: how it starts and ends, what is said, and who a nested agent is. */
import { PROTOCOL_VERSION } from "@ag-ui/core";
import { createLife } from "@callboard/testkit";
import { describe, expect, it } from "vitest";
import type { RunEvent } from "../log/events/index.js";
import { agUiEventsOf, messagesOf, verifiedCount } from "./testing/agUiReader.js";

type Tell = Parameters<typeof createLife>[2];
const logOf = (tell: Tell): readonly RunEvent[] => createLife("x", "", tell).log;

const started = {
  type: "RUN_STARTED",
  threadId: "conv_1",
  runId: "run_x",
  protocolVersion: PROTOCOL_VERSION,
  metadata: { model: "rehearsal" },
};
const usage = [{ model: "rehearsal", inputTokens: 0, outputTokens: 0, totalTokens: 0 }];
const finished = (metadata: object, outcome = "success"): object => ({
  type: "RUN_FINISHED",
  threadId: "conv_1",
  runId: "run_x",
  outcome: { type: outcome },
  usage,
  metadata,
});
const text = (messageId: string, ...deltas: readonly string[]): readonly object[] => [
  { type: "TEXT_MESSAGE_START", messageId, role: "assistant" },
  ...deltas.map((delta) => ({ type: "TEXT_MESSAGE_CONTENT", messageId, delta })),
  { type: "TEXT_MESSAGE_END", messageId },
];

describe("what is said", () => {
  it("is one message per answer; the user's own is omitted", async () => {
    const events = agUiEventsOf(
      logOf(({ user, model, run }) => {
        user.says("hi");
        model.begins();
        model.says("One two three four five six.");
        model.ends();
        run.ends();
      }),
    );
    expect(events).toEqual([
      started,
      ...text("msg_a1", "One two three four five ", "six."),
      finished({ outcome: "ok", calls: 0 }),
    ]);
    expect(await messagesOf(events)).toEqual([
      { id: "msg_a1", role: "assistant", content: "One two three four five six." },
    ]);
  });

  it("includes the user's messages for one who only watches", async () => {
    const log = logOf(({ user, model, run }) => {
      user.says("hi");
      model.begins();
      model.says("Hello.");
      run.ends();
    });
    expect(await messagesOf(agUiEventsOf(log, { userMessages: true }))).toEqual([
      { id: "msg_u1", role: "user", content: "hi" },
      { id: "msg_a1", role: "assistant", content: "Hello." },
    ]);
  });

  it("is preceded by what was thought, whose signature is an opaque value", async () => {
    const span = { messageId: "msg_a1/msg_a1_1" };
    const events = agUiEventsOf(
      logOf(({ model, run }) => {
        model.begins();
        model.thinks("Hmm.", { some: { signature: "sig" } });
        model.says("No.");
        run.ends();
      }),
    );
    expect(events).toEqual([
      started,
      { type: "REASONING_START", ...span },
      { type: "REASONING_MESSAGE_START", ...span, role: "reasoning" },
      { type: "REASONING_MESSAGE_CONTENT", ...span, delta: "Hmm." },
      { type: "REASONING_MESSAGE_END", ...span },
      {
        type: "REASONING_ENCRYPTED_VALUE",
        subtype: "message",
        entityId: span.messageId,
        encryptedValue: '{"some":{"signature":"sig"}}',
      },
      { type: "REASONING_END", ...span },
      ...text("msg_a1", "No."),
      finished({ outcome: "ok", calls: 0 }),
    ]);
    expect(await messagesOf(events)).toEqual([
      {
        id: span.messageId,
        role: "reasoning",
        content: "Hmm.",
        encryptedValue: '{"some":{"signature":"sig"}}',
      },
      { id: "msg_a1", role: "assistant", content: "No." },
    ]);
  });

  it("opens its message again behind a call", async () => {
    const log = logOf(({ model, tool, run }) => {
      model.begins();
      model.says("A ");
      const call = model.calls("Read", {});
      model.says("b.");
      model.ends();
      tool.starts(call);
      tool.ends(call, "x");
      run.ends();
    });
    const [first] = await messagesOf(agUiEventsOf(log));
    expect(first).toMatchObject({
      id: "msg_a1",
      content: "A b.",
      toolCalls: [{ id: "call_a1_2" }],
    });
  });

  it("has custom events for what the protocol has no word for", () => {
    const events = agUiEventsOf(
      logOf(({ model, run }) => {
        run.reports("preparing", { userMessage: "Getting ready" });
        model.begins();
        model.uses({ inputTokens: 5, outputTokens: 1, cacheReadTokens: 4, costUsd: 0.5 });
        run.emits({ items: [1] });
        run.ends();
      }),
    );
    const paid = { inputTokens: 5, outputTokens: 1 };
    const custom = (name: string, value: object): object => ({ type: "CUSTOM", name, value });
    expect(events).toEqual([
      started,
      custom("callboard.status", { status: "preparing", userMessage: "Getting ready" }),
      custom("callboard.usage", {
        usage: { ...paid, cacheReadTokens: 4, costUsd: 0.5 },
        messageId: "msg_a1",
      }),
      custom("callboard.data", { items: [1] }),
      {
        ...finished({ outcome: "ok", calls: 0, costUsd: 0.5 }),
        usage: [{ model: "rehearsal", ...paid, totalTokens: 6, cachedInputTokens: 4 }],
      },
    ]);
  });
});

describe("the end of a run", () => {
  const cut = (end: Tell): readonly unknown[] =>
    agUiEventsOf(
      logOf((cast) => {
        cast.model.begins();
        cast.model.says("Hel");
        end(cast);
      }),
    ).slice(1);

  it("is no failure when it was cancelled", () => {
    const reason = "stopped by the user";
    expect(cut(({ run }) => run.ends("cancelled", reason))).toEqual([
      ...text("msg_a1", "Hel"),
      finished({ outcome: "cancelled", calls: 0, reason }, "cancelled"),
    ]);
  });

  it("is no failure when a limit was reached", () => {
    expect(cut(({ run }) => run.ends("limit", "9 turns"))).toEqual([
      ...text("msg_a1", "Hel"),
      finished({ outcome: "limit", calls: 0, reason: "9 turns" }),
    ]);
  });

  it("is an error when the process died", () => {
    const reason = "the process that ran this stopped without an answer";
    expect(cut(({ run }) => run.crashes(1_000))).toEqual([
      ...text("msg_a1", "Hel"),
      {
        type: "RUN_ERROR",
        message: reason,
        code: "interrupted",
        usage,
        metadata: { outcome: "interrupted", calls: 0, reason },
      },
    ]);
  });

  it("is an error in the words for the user when the provider failed", () => {
    const error = {
      errorType: "provider",
      message: "503",
      userMessage: "busy",
      code: "overloaded",
    };
    expect(
      cut(({ run }) => {
        run.errs(error);
        run.ends("error", "the provider failed");
      }),
    ).toEqual([
      ...text("msg_a1", "Hel"),
      { type: "CUSTOM", name: "callboard.error", value: error },
      {
        type: "RUN_ERROR",
        message: "busy",
        code: "overloaded",
        usage,
        metadata: { outcome: "error", calls: 0, reason: "the provider failed" },
      },
    ]);
  });
});

describe("a nested agent", () => {
  it("is a subagent named by its call, beside the run's own text", async () => {
    const log = logOf(({ model, tool, nestedModel, run }) => {
      model.begins();
      const agent = model.calls("Agent", {}, { toolType: "agent" });
      tool.starts(agent);
      const nested = nestedModel(agent);
      nested.begins();
      nested.says("Its own.");
      const inner = nested.calls("Inner", {}, { toolType: "agent" });
      tool.starts(inner);
      model.says("Mine.");
      tool.fails(inner, "lost", { errorType: "gone" });
      tool.ends(agent, "done");
      run.ends();
    });
    const events = agUiEventsOf(log);
    const [agent, inner] = ["call_a1_1", "call_a2_2"];
    const subagentRunId = agent;
    expect(events.slice(4, -1)).toEqual([
      {
        type: "SUBAGENT_STARTED",
        subagentRunId: agent,
        name: "Agent",
        parentToolCallId: agent,
        parentMessageId: "msg_a1",
      },
      ...text("msg_a2", "Its own.").map((event) => ({ ...event, subagentRunId })),
      {
        type: "TOOL_CALL_START",
        toolCallId: inner,
        toolCallName: "Inner",
        parentMessageId: "msg_a2",
        metadata: { toolType: "agent", openedBy: "model" },
        subagentRunId,
      },
      { type: "TOOL_CALL_ARGS", toolCallId: inner, delta: "{}", subagentRunId },
      { type: "TOOL_CALL_END", toolCallId: inner, subagentRunId },
      {
        type: "SUBAGENT_STARTED",
        subagentRunId: inner,
        name: "Inner",
        parentToolCallId: inner,
        parentMessageId: "msg_a2",
        parentSubagentRunId: agent,
      },
      ...text("msg_a1", "Mine.").slice(0, 2),
      { type: "SUBAGENT_ERROR", subagentRunId: inner, message: "lost", code: "gone" },
      {
        type: "TOOL_CALL_RESULT",
        messageId: `msg_a2/${inner}`,
        toolCallId: inner,
        role: "tool",
        content: "lost",
        metadata: { outcome: "error", errorType: "gone" },
        subagentRunId,
      },
      { type: "SUBAGENT_FINISHED", subagentRunId: agent },
      {
        type: "TOOL_CALL_RESULT",
        messageId: `msg_a1/${agent}`,
        toolCallId: agent,
        role: "tool",
        content: "done",
        metadata: { outcome: "ok" },
      },
      ...text("msg_a1", "Mine.").slice(2),
    ]);
    expect(await verifiedCount(events)).toBe(events.length);
    expect(await messagesOf(events)).toMatchObject([
      { id: "msg_a1", content: "Mine.", toolCalls: [{ id: agent }] },
      { id: `msg_a1/${agent}`, role: "tool", content: "done" },
      { id: "msg_a2", content: "Its own.", toolCalls: [{ id: inner }], subagentRunId },
      { id: `msg_a2/${inner}`, role: "tool", content: "lost", subagentRunId },
    ]);
  });
});
