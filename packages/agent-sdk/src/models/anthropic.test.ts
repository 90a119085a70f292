import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from "@ai-sdk/provider";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { askModel, brokenGuarantees } from "../testing/askModel.js";
import { anthropic } from "../testing/providerFrames.js";
import { hello, modelFor } from "../testing/providerModels.js";
import { type ProviderServer, type Step, startProviderServer } from "../testing/providerServer.js";
import { createAnthropicModel } from "./anthropic.js";

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

const tools: NonNullable<LanguageModelV3CallOptions["tools"]> = [
  { type: "function", name: "read", description: "Reads", inputSchema: { type: "object" } },
];
const inline = { mediaType: "image/png", data: "QUJD" } as const;
const conversation: LanguageModelV3Prompt = [
  { role: "system", content: "Be brief." },
  {
    role: "user",
    content: [
      { type: "text", text: "What is this?" },
      { type: "file", ...inline },
      { type: "file", mediaType: "image/png", data: new URL("https://a.b/c.png") },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "I look.", providerOptions: { anthropic: { signature: "sig" } } },
      { type: "reasoning", text: "", providerOptions: { anthropic: { redactedData: "xx" } } },
      { type: "reasoning", text: "unsigned" },
      { type: "text", text: "" },
      { type: "text", text: "Looking." },
      { type: "tool-call", toolCallId: "a:1", toolName: "read", input: { p: 1 } },
      { type: "tool-call", toolCallId: "b", toolName: "see", input: {} },
    ],
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "a:1",
        toolName: "read",
        output: { type: "error-text", value: "no file" },
      },
      {
        type: "tool-result",
        toolCallId: "b",
        toolName: "see",
        output: {
          type: "content",
          value: [
            { type: "text", text: "a picture" },
            { type: "image-data", ...inline },
          ],
        },
      },
    ],
  },
  { role: "user", content: [{ type: "text", text: "And?" }] },
];

describe("request", () => {
  test("a conversation with everything in it", async () => {
    server.reply(hello.anthropic);
    const { stream } = await modelFor("anthropic", server).doStream({
      prompt: conversation,
      tools,
      toolChoice: { type: "required" },
      temperature: 0,
      providerOptions: { anthropic: { thinking: { type: "enabled", budget_tokens: 1024 } } },
    });
    await stream.cancel();
    const [request] = server.requests;
    expect(request?.path).toBe("/v1/messages");
    expect(request?.headers).toMatchObject({
      "x-api-key": "test-key",
      "anthropic-version": "2023-06-01",
      "content-type": "application/json",
    });
    const image = {
      type: "image",
      source: { type: "base64", media_type: "image/png", data: "QUJD" },
    };
    const cache_control = { type: "ephemeral" };
    expect(request?.body).toStrictEqual({
      model: "test-model",
      max_tokens: 32_000,
      system: [{ type: "text", text: "Be brief.", cache_control }],
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            image,
            { type: "image", source: { type: "url", url: "https://a.b/c.png" } },
          ],
        },
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "I look.", signature: "sig" },
            { type: "redacted_thinking", data: "xx" },
            { type: "text", text: "Looking." },
            { type: "tool_use", id: "a_1", name: "read", input: { p: 1 } },
            { type: "tool_use", id: "b", name: "see", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "a_1", content: "no file", is_error: true },
            {
              type: "tool_result",
              tool_use_id: "b",
              content: [{ type: "text", text: "a picture" }, image],
            },
            { type: "text", text: "And?", cache_control },
          ],
        },
      ],
      tools: [{ name: "read", description: "Reads", input_schema: { type: "object" } }],
      tool_choice: { type: "any" },
      thinking: { type: "enabled", budget_tokens: 1024 },
      stream: true,
    });
  });

  test("the AI SDK's package sends the same messages, but for the marks of the cache", async () => {
    server.reply(hello.anthropic, hello.anthropic);
    const [system, , answer, ...rest] = conversation;
    if (system === undefined || answer?.role !== "assistant") throw new Error("no conversation");
    const signed = {
      ...answer,
      content: answer.content.filter(({ type }) => type !== "reasoning"),
    };
    const prompt: LanguageModelV3Prompt = [system, ...conversation.slice(4), signed, ...rest];
    const theirs = createAnthropic({ baseURL: `${server.urls.anthropic}/v1`, apiKey: "k" })(
      "test-model",
    );
    for (const model of [modelFor("anthropic", server), theirs]) {
      await (await model.doStream({ prompt, tools, maxOutputTokens: 9 })).stream.cancel();
    }
    const [ours, other] = server.requests.map(({ body }) => {
      const text = JSON.stringify(body).replaceAll(',"cache_control":{"type":"ephemeral"}', "");
      const {
        messages,
        system: said,
        max_tokens,
        stream,
      } = JSON.parse(text.replaceAll("a:1", "a_1"));
      return { messages: messages.map(withoutEmpty), said, max_tokens, stream };
    });
    expect(ours).toStrictEqual(other);
  });

  test.each([
    ["claude-3-haiku-20240307", 4096],
    ["claude-3-5-sonnet-latest", 8192],
    ["claude-opus-4-1", 32_000],
  ])("%s may say %i tokens", async (modelId, max_tokens) => {
    server.reply(hello.anthropic);
    await askModel(
      createAnthropicModel({ modelId, apiKey: "k", baseUrl: `${server.urls.anthropic}/v1/` }),
    );
    expect(server.requests[0]?.path).toBe("/v1/messages");
    expect(server.requests[0]?.body).toMatchObject({ max_tokens });
  });
});

/** The package keeps an empty text, which the API refuses. */
function withoutEmpty(message: { content: { text?: string }[] }): unknown {
  return { ...message, content: message.content.filter(({ text }) => text !== "") };
}

async function callsOf(steps: readonly Step[]): Promise<readonly unknown[]> {
  server.reply({ steps });
  const asked = await askModel(modelFor("anthropic", server));
  expect(brokenGuarantees(asked)).toStrictEqual([]);
  return (asked.result?.toolCalls ?? []).map(({ id, name, parameters }) => [id, name, parameters]);
}

const { begin, startCall, input, stop, end } = anthropic;

describe("habits", () => {
  test("a missing id, the same id twice, a block that is never stopped", async () => {
    expect(
      await callsOf([
        begin(),
        startCall(0, "", "read"),
        input(0, "{}"),
        stop(0),
        startCall(1, "a", "read"),
        input(1, "{}"),
        stop(1),
        startCall(2, "a", "list"),
        input(2, '{"x":1}'),
        ...end("tool_use"),
      ]),
    ).toStrictEqual([
      ["call_0", "read", "{}"],
      ["a", "read", "{}"],
      ["a_2", "list", '{"x":1}'],
    ]);
  });

  test("pings, unknown events and unknown blocks are passed over", async () => {
    server.reply({
      steps: [
        begin(),
        { frame: { type: "ping" } },
        anthropic.block(0, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
        input(0, '{"q":1}'),
        stop(0),
        { frame: { type: "something_new" } },
        anthropic.startText(1),
        anthropic.text(1, "ok"),
        anthropic.delta(1, { type: "citations_delta", citation: {} }),
        stop(1),
        ...end("end_turn"),
      ],
    });
    expect((await askModel(modelFor("anthropic", server))).result).toMatchObject({
      content: "ok",
      toolCalls: [],
      finishReason: "stop",
    });
  });

  test("a redacted thought is signed with its data", async () => {
    server.reply({
      steps: [
        begin(),
        anthropic.block(0, { type: "redacted_thinking", data: "xx" }),
        stop(0),
        ...end("end_turn"),
      ],
    });
    const { parts } = await askModel(modelFor("anthropic", server));
    expect(parts[0]).toStrictEqual({
      type: "reasoningEnd",
      opaque: { anthropic: { redactedData: "xx" } },
    });
  });

  test.each([
    ["end_turn", "stop"],
    ["stop_sequence", "stop"],
    ["tool_use", "tool-calls"],
    ["max_tokens", "length"],
    ["refusal", "content-filter"],
    ["new_reason", "other"],
  ])("%s is %s", async (raw, reason) => {
    server.reply({ steps: [begin(), ...end(raw)] });
    expect((await askModel(modelFor("anthropic", server))).result?.finishReason).toBe(reason);
  });
});
