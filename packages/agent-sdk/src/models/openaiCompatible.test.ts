import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from "@ai-sdk/provider";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { askModel } from "../testing/askModel.js";
import { openai } from "../testing/providerFrames.js";
import { hello, modelFor } from "../testing/providerModels.js";
import { type ProviderServer, startProviderServer } from "../testing/providerServer.js";
import { createOpenaiModel } from "./openaiCompatible.js";

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

const tools: LanguageModelV3CallOptions["tools"] = [
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
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "reasoning", text: "I look." },
      { type: "reasoning", text: "theirs", providerOptions: { anthropic: { signature: "s" } } },
      { type: "text", text: "Looking." },
      { type: "tool-call", toolCallId: "a", toolName: "read", input: { p: 1 } },
      { type: "tool-call", toolCallId: "b", toolName: "see", input: {} },
    ],
  },
  {
    role: "tool",
    content: [
      {
        type: "tool-result",
        toolCallId: "a",
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
    server.reply(hello.openai);
    const { stream } = await modelFor("openai", server).doStream({
      prompt: conversation,
      ...(tools && { tools }),
      toolChoice: { type: "tool", toolName: "read" },
      maxOutputTokens: 50,
      temperature: 0,
      providerOptions: { openai: { reasoning_effort: "low" } },
    });
    await stream.cancel();
    const [request] = server.requests;
    expect(request?.path).toBe("/v1/chat/completions");
    expect(request?.headers.authorization).toBe("Bearer test-key");
    const image = { type: "image_url", image_url: { url: "data:image/png;base64,QUJD" } };
    expect(request?.body).toStrictEqual({
      model: "test-model",
      messages: [
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "What is this?" }, image] },
        {
          role: "assistant",
          content: "Looking.",
          reasoning_content: "I look.",
          tool_calls: [
            { id: "a", type: "function", function: { name: "read", arguments: '{"p":1}' } },
            { id: "b", type: "function", function: { name: "see", arguments: "{}" } },
          ],
        },
        { role: "tool", tool_call_id: "a", content: "no file" },
        {
          role: "tool",
          tool_call_id: "b",
          content: "a picture\n[1 image(s) of this output follow in the next message]",
        },
        {
          role: "user",
          content: [{ type: "text", text: "Image(s) that see (b) gave:" }, image],
        },
        { role: "user", content: "And?" },
      ],
      tools: [
        {
          type: "function",
          function: { name: "read", description: "Reads", parameters: { type: "object" } },
        },
      ],
      tool_choice: { type: "function", function: { name: "read" } },
      max_tokens: 50,
      temperature: 0,
      reasoning_effort: "low",
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test("the AI SDK's package sends the same for what both can say", async () => {
    server.reply(hello.openai, hello.openai);
    const prompt = conversation.slice(0, 2);
    const options = { prompt, ...(tools && { tools }), temperature: 1 };
    const theirs = createOpenAICompatible({
      name: "x",
      baseURL: server.urls.openai,
      apiKey: "k",
      includeUsage: true,
    }).languageModel("test-model");
    for (const model of [modelFor("openai", server), theirs]) {
      await (await model.doStream(options)).stream.cancel();
    }
    expect(server.requests[0]?.body).toStrictEqual(server.requests[1]?.body);
  });

  test("without a key no key is sent; OpenAI itself is told the limit by its newer name", async () => {
    server.reply(hello.openai);
    await askModel(createOpenaiModel({ modelId: "m", baseUrl: `${server.urls.openai}/` }), {
      maxOutputTokens: 9,
    });
    expect(server.requests[0]?.headers).not.toHaveProperty("authorization");
    expect(server.requests[0]?.body).toStrictEqual({
      model: "m",
      messages: [{ role: "user", content: "hello" }],
      max_tokens: 9,
      stream: true,
      stream_options: { include_usage: true },
    });
  });
});

test("frames cut anywhere, comments, CRLF, no [DONE] and no last blank line", async () => {
  const body =
    ': hi\r\ndata: {"choices":[{"delta":{"content":"Grüße 👋"}}]}\r\n\r\ndata: {"choices":[{"delta":{},"finish_reason":"stop"}]}';
  const bytes = Buffer.from(body);
  const steps = [...bytes].map((byte) => ({ raw: Uint8Array.of(byte) }));
  server.reply({ steps, endsBare: true });
  expect((await askModel(modelFor("openai", server))).result).toMatchObject({
    content: "Grüße 👋",
    finishReason: "stop",
  });
});

test("content in parts, and a refusal", async () => {
  server.reply({
    steps: [
      openai.delta({
        content: [
          { type: "thinking", thinking: [{ type: "text", text: "hm" }] },
          { type: "text", text: "A" },
        ],
      }),
      openai.delta({ refusal: "No." }),
      openai.finish("content_filter"),
    ],
  });
  const { result } = await askModel(modelFor("openai", server));
  expect(result).toMatchObject({
    content: "ANo.",
    reasoning: "hm",
    finishReason: "content-filter",
  });
});

test("a page instead of an API says so and is not tried again", async () => {
  server.reply({
    headers: { "content-type": "application/json" },
    steps: [{ raw: "<html>" }],
    endsBare: true,
  });
  const { error } = await askModel(modelFor("openai", server), { retries: 3, stream: false });
  expect(error).toMatchObject({ kind: "other", isRetryable: false });
  expect(error?.message).toContain("the answer is not JSON: <html>");
});
