/** What a model thought before its calls goes back to whoever wants it back, and to nobody else. */
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createGoogleModel } from "../models/google.js";
import { createMemorySessionStore } from "../sessions/memorySessionStore.js";
import { systemClock } from "../system/systemClock.js";
import { type AgentStage, callsReply, setAgentStage, textReply } from "../testing/agentStage.js";
import { anthropic, google, openai } from "../testing/providerFrames.js";
import { hello, modelFor } from "../testing/providerModels.js";
import {
  type ProviderServer,
  type Reply,
  type Step,
  startProviderServer,
} from "../testing/providerServer.js";
import { defineTool } from "../tools/defineTool.js";
import { listAt, objectAt, objectOf } from "../utils/jsonFields.js";

const look = defineTool({
  name: "look",
  description: "looks",
  kind: "read",
  concurrency: "safe",
  input: z.object({ at: z.string() }),
  run: ({ at }) => `saw ${at}`,
});

let stage: AgentStage | undefined;
let server: ProviderServer | undefined;
afterEach(async () => {
  await stage?.close();
  await server?.close();
  server = undefined;
});

const thinking = (field: "reasoning_content" | "reasoning"): Reply => ({
  steps: [
    openai.delta({ [field]: "I should " }),
    openai.delta({ [field]: "look." }),
    openai.start(0, "call_0", "look"),
    openai.input(0, '{"at":"a"}'),
    openai.finish("tool_calls"),
  ],
});

async function played(...replies: readonly Reply[]): Promise<AgentStage> {
  stage = await setAgentStage(replies, { tools: [look] });
  await stage.agent.sendMessage("go");
  return stage;
}

describe("reasoning in `reasoning_content`", () => {
  it("goes back with its calls, in this request and in every later one", async () => {
    const { agent, server: asked } = await played(
      thinking("reasoning_content"),
      callsReply(["look", { at: "b" }]),
      textReply("Seen."),
      textReply("Again."),
    );
    await agent.sendMessage("and?");
    const assistants = [
      { role: "assistant", reasoning_content: "I should look.", tool_calls: [{ id: "call_0" }] },
      { role: "assistant", reasoning_content: "", tool_calls: [{ id: "call_0_2" }] },
    ];
    expect(asked.requests[2]?.body).toMatchObject({
      messages: [
        { role: "user" },
        assistants[0],
        { role: "tool" },
        assistants[1],
        { role: "tool" },
      ],
    });
    expect(asked.requests[3]?.body).toMatchObject({
      messages: [
        { role: "user" },
        assistants[0],
        { role: "tool" },
        assistants[1],
        { role: "tool" },
        { role: "assistant", content: "Seen." },
        { role: "user" },
      ],
    });
  });

  it("in another field stays here: who sends it so takes nothing back", async () => {
    const { server: asked } = await played(thinking("reasoning"), textReply("Seen."));
    expect(JSON.stringify(asked.requests[1]?.body)).not.toContain("I should look.");
    expect(JSON.stringify(asked.requests[1]?.body)).not.toContain("reasoning");
  });
});

describe("opaque fields of chat completions", () => {
  it("`reasoning_details` go back whole, in order, with the answer that they came with", async () => {
    const details = (...list: readonly object[]): Step =>
      openai.delta(asJson({ reasoning_details: list }));
    const { server: asked } = await played(
      {
        steps: [
          details({ type: "reasoning.text", text: "I should ", index: 0, format: "x" }),
          details({ type: "reasoning.text", text: "look.", index: 0, signature: "sig" }),
          details({ type: "reasoning.encrypted", data: "ZW5j", index: 1, id: "r1" }),
          openai.start(0, "call_0", "look"),
          openai.input(0, '{"at":"a"}'),
          openai.finish("tool_calls"),
        ],
      },
      textReply("Seen."),
    );
    expect(listAt(objectOf(asked.requests[1]?.body), "messages")[1]).toEqual({
      role: "assistant",
      content: null,
      reasoning_details: [
        { type: "reasoning.text", text: "I should look.", index: 0, format: "x", signature: "sig" },
        { type: "reasoning.encrypted", data: "ZW5j", index: 1, id: "r1" },
      ],
      tool_calls: [
        { id: "call_0", type: "function", function: { name: "look", arguments: '{"at":"a"}' } },
      ],
    });
  });

  it("`extra_content` goes back with the call that it came with", async () => {
    const extra_content = { google: { thought_signature: "c2ln" } };
    const { server: asked } = await played(
      {
        steps: [
          openai.calls(
            asJson({
              index: 0,
              id: "call_0",
              function: { name: "look", arguments: '{"at":"a"}' },
              extra_content,
            }),
          ),
          openai.finish("tool_calls"),
        ],
      },
      textReply("Seen."),
    );
    expect(listAt(objectOf(asked.requests[1]?.body), "messages")[1]).toMatchObject({
      tool_calls: [{ id: "call_0", extra_content }],
    });
  });

  it("stay here when another address answers", async () => {
    const store = createMemorySessionStore({ clock: systemClock });
    const options = { store, tools: [look], sessionId: "s1" };
    stage = await setAgentStage([thinking("reasoning_content"), textReply("Seen.")], options);
    await stage.agent.sendMessage("go");
    await stage.close();
    let ids = 0;
    stage = await setAgentStage([textReply("Later.")], {
      ...options,
      newId: () => `later-${++ids}`,
    });
    await stage.agent.sendMessage("and?");
    expect(JSON.stringify(stage.server.requests[0]?.body)).not.toContain("reasoning_content");
  });
});

describe("what Anthropic's model thought after it spoke", () => {
  it.each([
    [
      "hidden",
      anthropic.block(1, { type: "redacted_thinking", data: "cmVk" }),
      { type: "redacted_thinking", data: "cmVk" },
    ],
    [
      "empty but signed",
      anthropic.block(1, { type: "thinking", thinking: "", signature: "s1" }),
      { type: "thinking", thinking: "", signature: "s1" },
    ],
  ] as const)("goes back where it came: %s", async (_, thought, returned) => {
    server = await startProviderServer(
      {
        steps: [
          anthropic.begin(),
          anthropic.startText(0),
          anthropic.text(0, "Let me look."),
          anthropic.stop(0),
          thought,
          anthropic.stop(1),
          anthropic.startCall(2, "toolu_1", "look"),
          anthropic.input(2, '{"at":"a"}'),
          anthropic.stop(2),
          ...anthropic.end("tool_use"),
        ],
      },
      hello.anthropic,
    );
    stage = await setAgentStage([], { tools: [look], model: modelFor("anthropic", server) });
    expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "ok", text: "Hello" });
    expect(server.requests[1]?.body).toMatchObject({
      messages: [
        { role: "user" },
        { role: "assistant", content: [{ type: "text" }, returned, { type: "tool_use" }] },
        { role: "user", content: [{ type: "tool_result" }] },
      ],
    });
  });
});

function asJson(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value));
}

describe("what one provider's model thought", () => {
  it.each([
    ["anthropic", hello.anthropic],
    ["google", hello.google],
  ] as const)("is not told to %s, who would refuse it", async (door, reply) => {
    const store = createMemorySessionStore({ clock: systemClock });
    const options = { store, tools: [look], sessionId: "s1" };
    const answers = [thinking("reasoning_content"), textReply("Seen.")];
    stage = await setAgentStage(answers, options);
    await stage.agent.sendMessage("go");
    await stage.close();
    server = await startProviderServer(reply);
    let ids = 0;
    const newId = () => `later-${++ids}`;
    stage = await setAgentStage([], { ...options, newId, model: modelFor(door, server) });
    expect(await stage.agent.sendMessage("and?")).toMatchObject({ outcome: "ok", text: "Hello" });
    expect(JSON.stringify(server.requests[0]?.body)).not.toContain("I should look.");
  });
});

describe("Gemini's thought signatures", () => {
  const signed: Reply = {
    steps: [
      google.thought("I should look."),
      google.text("Let me look."),
      {
        frame: {
          candidates: [
            {
              content: {
                role: "model",
                parts: [
                  {
                    functionCall: { name: "look", args: { at: "a" } },
                    thoughtSignature: "c2lnbmVk",
                  },
                  { functionCall: { name: "look", args: { at: "b" } } },
                ],
              },
              index: 0,
            },
          ],
        },
      },
      google.finish("STOP"),
    ],
  };
  const answer: Reply = { steps: [google.text("Seen."), google.finish("STOP")] };
  const returned = {
    contents: [
      { role: "user" },
      {
        role: "model",
        parts: [
          { text: "Let me look." },
          { functionCall: { name: "look", args: { at: "a" } }, thoughtSignature: "c2lnbmVk" },
          { functionCall: { name: "look", args: { at: "b" } } },
        ],
      },
      { role: "user", parts: [{}, {}] },
    ],
  };

  it.each([
    ["streamed", true],
    ["whole", false],
  ] as const)(
    "of a %s answer go back with the call that they came with, also from a stored session",
    async (_, stream) => {
      server = await startProviderServer();
      const whole = (reply: Reply): Reply => ({
        json: {
          candidates: [
            {
              content: {
                role: "model",
                parts: (reply.steps ?? []).flatMap((step) => partsIn(step)),
              },
              finishReason: "STOP",
              index: 0,
            },
          ],
        },
      });
      server.reply(...[signed, answer, answer].map((reply) => (stream ? reply : whole(reply))));
      const model = createGoogleModel({
        modelId: "gemini-3-pro-preview",
        apiKey: "k",
        baseUrl: server.urls.google,
      });
      const store = createMemorySessionStore({ clock: systemClock });
      const options = { model, store, tools: [look], sessionId: "s1", stream };
      stage = await setAgentStage([], options);
      expect(await stage.agent.sendMessage("go")).toMatchObject({ outcome: "ok", text: "Seen." });
      expect(server.requests[1]?.body).toMatchObject(returned);
      const blocks = stage.agent.messages.flatMap((message) => message.blocks);
      expect(blocks.filter(({ type }) => type === "reasoning")).toMatchObject([
        { content: "I should look." },
      ]);
      expect(await stage.faults()).toEqual([]);
      await stage.close();
      let ids = 0;
      stage = await setAgentStage([], { ...options, newId: () => `later-${++ids}` });
      await stage.agent.sendMessage("and?");
      const { contents } = returned;
      expect(server.requests[2]?.body).toMatchObject({
        contents: [...contents, { role: "model", parts: [{ text: "Seen." }] }, { role: "user" }],
      });
    },
  );
});

/** The parts of a streamed frame. */
function partsIn(step: Step): readonly JsonValue[] {
  const frame = "frame" in step ? objectOf(step.frame) : undefined;
  return listAt(frame, "candidates").flatMap((candidate) =>
    listAt(objectAt(objectOf(candidate), "content"), "parts"),
  );
}
