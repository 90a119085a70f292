/** Every bad ending of every protocol: an outcome and a reason, nothing run, and the session continues. */
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { anthropic, google, openai } from "../testing/providerFrames.js";
import { hello, modelFor } from "../testing/providerModels.js";
import { type ProviderServer, type Reply, startProviderServer } from "../testing/providerServer.js";
import { defineTool } from "../tools/defineTool.js";

let stage: AgentStage | undefined;
let server: ProviderServer | undefined;
let runs = 0;
afterEach(async () => {
  await stage?.close();
  await server?.close();
  runs = 0;
});

const look = defineTool({
  name: "look",
  description: "looks",
  kind: "read",
  concurrency: "safe",
  input: z.object({ at: z.string() }),
  run: ({ at }) => {
    runs += 1;
    return `saw ${at}`;
  },
});

const calling = [openai.start(0, "call_0", "look"), openai.input(0, '{"at":"a"}')];
const claude = (reason: string, text = ""): Reply => ({
  steps: [
    anthropic.begin(),
    ...(text === "" ? [] : [anthropic.startText(0), anthropic.text(0, text), anthropic.stop(0)]),
    ...anthropic.end(reason),
  ],
});

describe("a run ends", () => {
  it.each([
    [
      "openai",
      "a refusal",
      { steps: [openai.delta({ refusal: "No." }), openai.finish("stop")] },
      "error",
      "refusal",
    ],
    [
      "openai",
      "the content filter",
      { steps: [openai.text("Well"), openai.finish("content_filter")] },
      "error",
      "content_filter",
    ],
    [
      "openai",
      "the content filter behind a call",
      { steps: [...calling, openai.finish("content_filter")] },
      "error",
      "content_filter",
    ],
    [
      "openai",
      "an error behind a call",
      { steps: [...calling, openai.finish("error")] },
      "error",
      "provider_error",
    ],
    [
      "openai",
      "an error in the choice",
      {
        steps: [
          ...calling,
          {
            frame: {
              choices: [
                {
                  index: 0,
                  delta: {},
                  error: { code: 502, message: "upstream broke" },
                  finish_reason: "error",
                },
              ],
            },
          },
        ],
      },
      "error",
      "overloaded",
    ],
    [
      "openai",
      "its length",
      { steps: [openai.text("Well"), openai.finish("length")] },
      "limit",
      undefined,
    ],
    [
      "openai",
      "a call in words",
      { steps: [openai.text('<tool_call>{"name":"look"}</tool_call>'), openai.finish("stop")] },
      "error",
      "malformed_call",
    ],
    ["anthropic", "a refusal", claude("refusal"), "error", "refusal"],
    ["anthropic", "its length", claude("max_tokens", "Well"), "limit", undefined],
    [
      "anthropic",
      "a full context",
      claude("model_context_window_exceeded", "Well"),
      "limit",
      undefined,
    ],
    [
      "google",
      "a malformed call",
      { steps: [google.finish("MALFORMED_FUNCTION_CALL")] },
      "error",
      "malformed_call",
    ],
    [
      "google",
      "an unexpected call",
      { steps: [google.finish("UNEXPECTED_TOOL_CALL")] },
      "error",
      "malformed_call",
    ],
    [
      "google",
      "the content filter",
      { steps: [google.text("Well"), google.finish("SAFETY")] },
      "error",
      "content_filter",
    ],
    [
      "google",
      "its length",
      { steps: [google.text("Well"), google.finish("MAX_TOKENS")] },
      "limit",
      undefined,
    ],
    [
      "google",
      "a blocked prompt",
      { steps: [{ frame: { promptFeedback: { blockReason: "PROHIBITED_CONTENT" } } }] },
      "error",
      "prompt_blocked",
    ],
    [
      "google",
      "no reason that is known",
      { steps: [google.finish("FINISH_REASON_UNSPECIFIED")] },
      "error",
      "no_answer",
    ],
  ] as const)("%s: by %s", async (door, _, reply, outcome, errorType) => {
    server = await startProviderServer(reply, hello[door]);
    stage = await setAgentStage([], {
      tools: [look],
      model: modelFor(door, server),
      limits: { modelRetries: 0 },
    });
    const result = await stage.agent.sendMessage("go");
    expect(result).toMatchObject({ outcome });
    expect(result.reason).toMatch(/^\w.*\.$/s);
    expect(runs).toBe(0);
    expect(await stage.faults()).toEqual([]);
    const errors = stage.events.filter(({ type }) => type === "error.reported");
    expect(errors).toMatchObject(
      errorType === undefined ? [] : [{ errorType, message: result.reason }],
    );
    expect(stage.events.at(-1)).toMatchObject({
      type: "run.closed",
      outcome,
      reason: result.reason,
    });
    expect(await stage.agent.sendMessage("and?")).toMatchObject({ outcome: "ok", text: "Hello" });
  });
});

describe("a history that the provider refuses", () => {
  const refusal: Reply = {
    status: 400,
    json: { error: { message: "messages.1.content.0: Invalid `signature` in `thinking` block" } },
  };

  it("is told in plain words once, visibly in the log, and the session continues", async () => {
    stage = await setAgentStage(
      [callsReply(["look", { at: "a" }]), refusal, textReply("Seen."), textReply("Again.")],
      { tools: [look] },
    );
    expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "ok", text: "Seen." });
    expect(await stage.agent.sendMessage("and?")).toMatchObject({ outcome: "ok", text: "Again." });
    expect(await stage.faults()).toEqual([]);
    const repairs = stage.events.filter(
      (event) => event.type === "status.reported" && event.status === "history_repaired",
    );
    expect(repairs).toMatchObject([
      { metadata: { reason: expect.stringContaining("Invalid `signature`") } },
    ]);
    const plain = {
      role: "user",
      content: '[You called the tool look with {"at":"a"}. It gave:]\nsaw a',
    };
    expect(stage.server.requests[2]?.body).toMatchObject({ messages: [{ role: "user" }, plain] });
    expect(stage.server.requests[3]?.body).toMatchObject({
      messages: [
        { role: "user" },
        plain,
        { role: "assistant", content: "Seen." },
        { role: "user" },
      ],
    });
    expect(stage.server.requests).toHaveLength(4);
  });

  it("is not repaired twice for one answer", async () => {
    stage = await setAgentStage([callsReply(["look", { at: "a" }]), refusal, refusal], {
      tools: [look],
    });
    expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "error" });
    expect(stage.server.requests).toHaveLength(3);
  });

  it.each([
    ["its length", "This model's maximum context length is 8192 tokens, your messages have 9000"],
    ["a parameter", "Unsupported parameter: 'temperature' with reasoning models"],
  ])("is not repaired where %s is refused", async (_, message) => {
    const other: Reply = { status: 400, json: { error: { message } } };
    stage = await setAgentStage([callsReply(["look", { at: "a" }]), other, other, other], {
      tools: [look],
      limits: { modelRetries: 0 },
    });
    expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "error" });
    expect(await stage.faults()).toEqual([]);
    const repairs = stage.events.filter(
      (event) => event.type === "status.reported" && event.status === "history_repaired",
    );
    expect(repairs).toEqual([]);
  });
});
