import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { askDoor, callsOf } from "../testing/askDoor.js";
import { askModel, userPrompt } from "../testing/askModel.js";
import { modelOf } from "../testing/modelParts.js";
import { openai } from "../testing/providerFrames.js";
import { all, type Door, type Frames, modelFor } from "../testing/providerModels.js";
import { type ProviderServer, startProviderServer } from "../testing/providerServer.js";
import type { LanguageModelV4 } from "../types/model.js";
import { type CallAgentOptions, callAgent } from "./aiService.js";

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

const ask = (door: Door, frames: Frames, options?: Partial<CallAgentOptions>) =>
  askDoor(server, door, frames, options);

describe("in one piece", () => {
  test.each(all)("%s: stream false", async (door) => {
    const asked = await ask(
      door,
      {
        openai: {
          json: {
            id: "c",
            model: "test-model",
            choices: [
              {
                index: 0,
                finish_reason: "tool_calls",
                message: {
                  role: "assistant",
                  content: "On it.",
                  reasoning_content: "hm",
                  tool_calls: [
                    { id: "a", type: "function", function: { name: "read", arguments: '{"p":1}' } },
                  ],
                },
              },
            ],
            usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
          },
        },
        anthropic: {
          json: {
            id: "m",
            type: "message",
            role: "assistant",
            model: "test-model",
            content: [
              { type: "thinking", thinking: "hm", signature: "s" },
              { type: "text", text: "On it." },
              { type: "tool_use", id: "a", name: "read", input: { p: 1 } },
            ],
            stop_reason: "tool_use",
            stop_sequence: null,
            usage: { input_tokens: 3, output_tokens: 4 },
          },
        },
        google: {
          json: {
            candidates: [
              {
                content: {
                  role: "model",
                  parts: [
                    { text: "hm", thought: true },
                    { text: "On it." },
                    { functionCall: { name: "read", args: { p: 1 } } },
                  ],
                },
                finishReason: "STOP",
              },
            ],
            usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 },
          },
        },
      },
      { stream: false },
    );
    expect(asked.result).toMatchObject({
      content: "On it.",
      reasoning: "hm",
      finishReason: "tool-calls",
    });
    expect(asked.result?.usage).toMatchObject({ inputTokens: 3, outputTokens: 4 });
    expect(callsOf(asked)).toStrictEqual([["read", '{"p":1}', undefined]]);
    const types = asked.parts.map(({ type }) => type);
    expect(types).toStrictEqual([
      "reasoning",
      "reasoningEnd",
      "text",
      "callStart",
      "callEnd",
      "usage",
      "finish",
    ]);
    expect(server.requests[0]?.body).not.toHaveProperty("stream");
    expect([asked.contents, asked.updates]).toStrictEqual([[], []]);
  });

  test("a model and a prompt are enough to ask", async () => {
    server.reply({ steps: [openai.text("hi"), openai.finish("stop")] });
    const model = modelFor("openai", server);
    const contents: string[] = [];
    const { content } = await callAgent({
      model,
      prompt: userPrompt("hello"),
      onContentUpdate: (text) => contents.push(text),
    });
    expect([content, contents]).toStrictEqual(["hi", ["hi"]]);
    expect(server.requests[0]?.body).not.toHaveProperty("tools");
  });

  test("a server that answers a streaming request with JSON is read all the same", async () => {
    server.reply({
      json: { choices: [{ message: { content: "whole" }, finish_reason: "stop" }] },
    });
    expect((await askModel(modelFor("openai", server))).result?.content).toBe("whole");
  });
});

describe("callbacks and foreign models", () => {
  test("a callback that throws or rejects is logged and the answer continues", async () => {
    server.reply({
      steps: [openai.text("a"), openai.start(0, "c", "read"), openai.finish("stop")],
    });
    const fail = () => {
      throw new Error("mine");
    };
    const { result, logged } = await askModel(modelFor("openai", server), {
      onPart: fail,
      onContentUpdate: fail,
      onToolUpdate: () => Promise.reject(new Error("mine too")),
    });
    expect(result?.content).toBe("a");
    await Promise.resolve();
    const counts = ["onPart", "onContentUpdate", "onToolUpdate"].map(
      (name) =>
        logged.filter((line) => line === `The callback ${name} failed; the answer continues.`)
          .length,
    );
    expect(counts).toStrictEqual([4, 1, 2]);
  });

  test("a model of spec v4 is given tagged file data and its images are told", async () => {
    const asked: unknown[] = [];
    const finish = { unified: "stop", raw: "stop" } as const;
    const none = {
      total: undefined,
      noCache: undefined,
      cacheRead: undefined,
      cacheWrite: undefined,
    };
    const usage = {
      inputTokens: none,
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    };
    const image = {
      type: "file",
      mediaType: "image/png",
      data: { type: "data", data: "AA==" },
    } as const;
    const model: LanguageModelV4 = {
      specificationVersion: "v4",
      provider: "other",
      modelId: "m",
      doGenerate: async ({ prompt }) => {
        asked.push(prompt);
        return { content: [image], finishReason: finish, usage };
      },
      doStream: async ({ prompt }) => {
        asked.push(prompt);
        return {
          stream: ReadableStream.from([
            image,
            { type: "finish" as const, finishReason: finish, usage },
          ]),
        };
      },
    };
    const prompt = [
      {
        role: "user" as const,
        content: [{ type: "file" as const, mediaType: "image/png", data: "BB==" }],
      },
      {
        role: "tool" as const,
        content: [
          {
            type: "tool-result" as const,
            toolCallId: "a",
            toolName: "see",
            output: {
              type: "content" as const,
              value: [{ type: "image-data" as const, data: "CC==", mediaType: "image/png" }],
            },
          },
        ],
      },
    ];
    for (const stream of [true, false]) {
      const { parts } = await askModel(model, { prompt, stream });
      expect(parts[0]).toStrictEqual({
        type: "image",
        image: { data: "AA==", mediaType: "image/png" },
      });
    }
    const file = (data: string) => ({
      type: "file",
      mediaType: "image/png",
      data: { type: "data", data },
    });
    expect(asked[0]).toStrictEqual([
      { role: "user", content: [file("BB==")] },
      {
        role: "tool",
        content: [
          {
            type: "tool-result",
            toolCallId: "a",
            toolName: "see",
            output: { type: "content", value: [file("CC==")] },
          },
        ],
      },
    ]);
  });

  test("a model that throws something odd", async () => {
    const { error } = await askModel(modelOf(Promise.reject(new Error("boom."))));
    expect(error).toMatchObject({
      kind: "other",
      message: "other failed to answer for m: boom. See the cause, then send the message again.",
    });
  });

  test("a stream that ends without its finish", async () => {
    const part = { type: "text-delta", id: "0", delta: "a" } as const;
    const { error } = await askModel(modelOf(Promise.resolve([part])));
    expect(error?.kind).toBe("stream");
  });
});
