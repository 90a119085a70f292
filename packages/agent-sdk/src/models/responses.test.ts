/** OpenAI's Responses API over HTTP: what is sent, what is read, and what goes back. */
import type { JsonObject } from "@callboard/run-log";
import { afterEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { type AgentStage, setAgentStage } from "../testing/agentStage.js";
import { askModel, brokenGuarantees } from "../testing/askModel.js";
import {
  type ProviderServer,
  type Reply,
  type Step,
  startProviderServer,
} from "../testing/providerServer.js";
import { defineTool } from "../tools/defineTool.js";
import { createResponsesModel } from "./openaiResponses.js";

let server: ProviderServer;
let stage: AgentStage | undefined;
afterEach(async () => {
  await stage?.close();
  stage = undefined;
  await server.close();
});

const json = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value));
const at = (type: string, more: object = {}): Step => ({ frame: json({ type, ...more }) });
const created = at("response.created", { response: { id: "resp_1", model: "gpt-5" } });
const added = (index: number, item: object) =>
  at("response.output_item.added", { output_index: index, item });
const done = (index: number, item: object) =>
  at("response.output_item.done", { output_index: index, item });
const completed = (more: object = {}): Step =>
  at("response.completed", {
    response: {
      status: "completed",
      usage: {
        input_tokens: 20,
        input_tokens_details: { cached_tokens: 8 },
        output_tokens: 5,
        output_tokens_details: { reasoning_tokens: 2 },
      },
      ...more,
    },
  });

const thought = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "Hm." }],
  encrypted_content: "ZW5j",
};
const call = {
  type: "function_call",
  id: "fc_1",
  call_id: "call_1",
  name: "look",
  arguments: '{"at":"a"}',
};
const thinking: Reply = {
  endsBare: true,
  steps: [
    created,
    added(0, { type: "reasoning", id: "rs_1", summary: [] }),
    at("response.reasoning_summary_text.delta", { output_index: 0, delta: "Hm." }),
    done(0, thought),
    added(1, { ...call, arguments: "" }),
    at("response.function_call_arguments.delta", { output_index: 1, delta: '{"at":' }),
    at("response.function_call_arguments.delta", { output_index: 1, delta: '"a"}' }),
    done(1, call),
    completed(),
  ],
};
const saying = (text: string): Reply => ({
  endsBare: true,
  steps: [
    created,
    added(0, { type: "message", id: "msg_1", content: [] }),
    at("response.output_text.delta", { output_index: 0, delta: text }),
    done(0, { type: "message", id: "msg_1", content: [{ type: "output_text", text }] }),
    completed(),
  ],
});
const model = () =>
  createResponsesModel({ modelId: "gpt-5", apiKey: "k", baseUrl: server.urls.openai });

async function ask(reply: Reply, stream = true) {
  server = await startProviderServer(reply);
  const asked = await askModel(model(), { stream });
  expect(brokenGuarantees(asked)).toStrictEqual([]);
  return asked;
}

const look = defineTool({
  name: "look",
  description: "looks",
  kind: "read",
  concurrency: "safe",
  input: z.object({ at: z.string() }),
  run: ({ at: place }) => `saw ${place}`,
});

test("reasoning goes back as the item that it came as, before its call", async () => {
  server = await startProviderServer(thinking, saying("Seen."));
  stage = await setAgentStage([], {
    tools: [look],
    model: model(),
    modelSettings: { effort: "high", maxOutputTokens: 99 },
  });
  expect(await stage.agent.sendMessage("go")).toMatchObject({
    outcome: "ok",
    text: "Seen.",
    usage: { inputTokens: 40, cacheReadTokens: 16, outputTokens: 10, reasoningTokens: 4 },
  });
  expect(server.requests[0]?.path).toBe("/v1/responses");
  expect(server.requests[0]?.body).toMatchObject({
    model: "gpt-5",
    store: false,
    include: ["reasoning.encrypted_content"],
    reasoning: { effort: "high", summary: "auto" },
    max_output_tokens: 99,
    tools: expect.arrayContaining([
      expect.objectContaining({ type: "function", name: "look", strict: false }),
    ]),
    input: [{ role: "user", content: [{ type: "input_text", text: "go" }] }],
  });
  expect(server.requests[1]?.body).toMatchObject({
    input: [
      { role: "user" },
      {
        type: "reasoning",
        summary: [{ type: "summary_text", text: "Hm." }],
        encrypted_content: "ZW5j",
      },
      { type: "function_call", call_id: "call_1", name: "look", arguments: '{"at":"a"}' },
      { type: "function_call_output", call_id: "call_1", output: "saw a" },
    ],
  });
  expect(JSON.stringify(server.requests[1]?.body)).not.toContain("rs_1");
});

describe("an answer", () => {
  test("in one piece is read as a streamed one", async () => {
    const whole = json({
      object: "response",
      model: "gpt-5",
      status: "completed",
      output: [thought, { type: "message", content: [{ type: "output_text", text: "Hi" }] }, call],
      usage: { input_tokens: 1, output_tokens: 2 },
    });
    const { result } = await ask({ json: whole }, false);
    expect(result).toMatchObject({
      content: "Hi",
      reasoning: "Hm.",
      toolCalls: [{ id: "call_1", name: "look", parameters: '{"at":"a"}' }],
      finishReason: "tool-calls",
    });
  });

  test.each([
    [
      "a refusal",
      [
        added(0, { type: "message" }),
        at("response.refusal.delta", { output_index: 0, delta: "No." }),
        completed(),
      ],
      "content-filter",
    ],
    [
      "its length",
      [
        at("response.incomplete", {
          response: { status: "incomplete", incomplete_details: { reason: "max_output_tokens" } },
        }),
      ],
      "length",
    ],
    [
      "the content filter",
      [
        at("response.incomplete", {
          response: { status: "incomplete", incomplete_details: { reason: "content_filter" } },
        }),
      ],
      "content-filter",
    ],
  ] as const)("ends by %s", async (_, steps, reason) => {
    const { result } = await ask({ endsBare: true, steps: [created, ...steps] });
    expect(result?.finishReason).toBe(reason);
  });

  test.each([
    [
      "a failure",
      at("response.failed", {
        response: { status: "failed", error: { code: "server_error", message: "sorry" } },
      }),
      "overloaded",
    ],
    [
      "an error event",
      at("error", { code: "rate_limit_exceeded", message: "slow down" }),
      "rate_limit",
    ],
  ])("breaks by %s", async (_, step, kind) => {
    const { error } = await ask({ endsBare: true, steps: [created, added(0, call), step] });
    expect(error?.kind).toBe(kind);
  });

  test("that stops before its end is an error, and its call never complete", async () => {
    const { error, parts } = await ask({
      endsBare: true,
      steps: [created, added(0, { ...call, arguments: "" })],
    });
    expect(error?.kind).toBe("stream");
    expect(parts.at(-1)).toMatchObject({
      type: "callEnd",
      problem: expect.stringContaining("broke off"),
    });
  });
});

test("a model that refuses to be asked for its reasoning is not asked again", async () => {
  const refusal = {
    status: 400,
    json: { error: { message: "Encrypted content is not supported with this model." } },
  };
  server = await startProviderServer(refusal, saying("Hi"), saying("Hi"));
  const asked = model();
  expect((await askModel(asked)).result?.content).toBe("Hi");
  expect((await askModel(asked)).result?.content).toBe("Hi");
  expect(server.requests.map(({ body }) => "include" in Object(body))).toStrictEqual([
    true,
    false,
    false,
  ]);
});
