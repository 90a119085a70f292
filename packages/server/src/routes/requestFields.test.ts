/**
 * Whatever a stock client sends is used or refused, field by field: a field that is given changes the turn that is
 * read from the request, or the request is refused. Fields that the route itself uses are named with that use.
 */
import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { HttpProblem } from "../http/problem.js";
import { agUiTurnOf, runInputSchema } from "./agUiRequest.js";
import { chatSchema, chatTurnOf } from "./chatRequest.js";
import {
  completionSchema,
  requestOfCompletion,
  requestOfResponse,
  responseSchema,
} from "./openAiRequest.js";

/** What becomes of a request: the turn, or the fields that are refused. */
type Read = (body: object) => unknown;

function readerOf<Body extends z.ZodObject>(
  schema: Body,
  turnOf: (body: z.output<Body>) => unknown,
): Read {
  return (body) => {
    const parsed = schema.safeParse(body);
    if (!parsed.success) {
      return { refused: parsed.error.issues.flatMap(refusedBy) };
    }
    try {
      return JSON.stringify(turnOf(parsed.data));
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      return { refused: (error.options.errors ?? []).map(({ field }) => field.split(".")[0]) };
    }
  };
}

function refusedBy(issue: z.core.$ZodIssue): readonly PropertyKey[] {
  return issue.code === "unrecognized_keys" && issue.path.length === 0
    ? issue.keys
    : issue.path.slice(0, 1);
}

interface Wire {
  readonly name: string;
  readonly read: Read;
  /** The fields that the server knows. */
  readonly known: readonly string[];
  /** The least that can be sent. */
  readonly least: object;
  /** A value of each field that is used. */
  readonly used: Readonly<Record<string, unknown>>;
  /** Fields that are the route's business, or have no effect, and what is said about them. */
  readonly elsewhere: Readonly<Record<string, string>>;
  /** Fields of the protocol, or values of known ones, that are refused. */
  readonly refused: Readonly<Record<string, unknown>>;
}

const tool = { name: "weather", parameters: { type: "object" } };
const text = (said: string) => [{ id: "m", role: "user", parts: [{ type: "text", text: said }] }];
const streamed = "the form of the answer";

const wires: readonly Wire[] = [
  {
    name: "useChat",
    read: readerOf(chatSchema, (body) => chatTurnOf(body, body.id, undefined)),
    known: Object.keys(chatSchema.shape),
    least: { id: "chat", messages: text("hi") },
    used: {
      id: "other",
      messages: text("more"),
      trigger: "regenerate-message",
      prompt_id: "greeter",
      model: "rehearsal",
      variables: { name: "Ada" },
      config_overrides: { max_turns: 3 },
      when_busy: "queue",
      replaces: "earlier",
      client_tools: [{ name: "weather", description: "", input_schema: { type: "object" } }],
      tools: { weather: tool },
      system: "Be brief.",
      config: { modelName: "rehearsal" },
    },
    elsewhere: { on_disconnect: "the connection" },
    refused: {
      messageId: "another",
      approvals: [{ approval_id: "a", approved: true }],
      results: [{ call_id: "c", output: "done" }],
      callSettings: { temperature: 0 },
      metadata: { key: "value" },
      state: {},
    },
  },
  {
    name: "AG-UI",
    read: readerOf(runInputSchema, (body) => agUiTurnOf(body, body.threadId, undefined)),
    known: Object.keys(runInputSchema.shape),
    least: { threadId: "t", runId: "r", messages: [{ id: "m", role: "user", content: "hi" }] },
    used: {
      threadId: "other",
      runId: "other",
      messages: [{ id: "m", role: "user", content: "more" }],
      tools: [tool],
      context: [{ description: "place", value: "Ghent" }],
      forwardedProps: { replaces: "earlier" },
      resume: [{ interruptId: "i", status: "resolved", payload: { approved: true } }],
    },
    elsewhere: {
      parentRunId: "RUN_STARTED repeats it",
      protocolVersion: "the words of the answer",
    },
    refused: { state: { count: 1 }, config: {} },
  },
  {
    name: "chat completions",
    read: readerOf(completionSchema, (body) => ({ ...requestOfCompletion(body), digest: "" })),
    known: Object.keys(completionSchema.shape),
    least: { model: "default", messages: [{ role: "user", content: "hi" }] },
    used: {
      model: "default@rehearsal",
      messages: [{ role: "user", content: "more" }],
      tools: [{ type: "function", function: tool }],
      metadata: { conversation_id: "c" },
    },
    elsewhere: {
      stream: streamed,
      stream_options: streamed,
      user: "the token says who calls",
    },
    refused: {
      temperature: 0,
      top_p: 0.5,
      n: 2,
      presence_penalty: 1,
      frequency_penalty: 1,
      store: false,
      tool_choice: "required",
      parallel_tool_calls: false,
      max_tokens: 10,
      max_completion_tokens: 10,
      stop: ["end"],
      seed: 1,
      response_format: { type: "json_object" },
      reasoning_effort: "low",
      logprobs: true,
      logit_bias: {},
      functions: [],
      modalities: ["audio"],
      prediction: {},
      service_tier: "auto",
      web_search_options: {},
    },
  },
  {
    name: "responses",
    read: readerOf(responseSchema, (body) => ({ ...requestOfResponse(body), digest: "" })),
    known: Object.keys(responseSchema.shape),
    least: { model: "default", input: "hi" },
    used: {
      model: "default@rehearsal",
      input: "more",
      instructions: "Be brief.",
      previous_response_id: "resp_00000000-0000-4000-8000-000000000000",
      tools: [{ type: "function", ...tool }],
      metadata: { conversation_id: "c" },
    },
    elsewhere: { stream: streamed, user: "the token says who calls" },
    refused: {
      temperature: 0,
      top_p: 0.5,
      store: false,
      tool_choice: "none",
      parallel_tool_calls: false,
      max_output_tokens: 10,
      background: true,
      conversation: "conv_1",
      include: [],
      max_tool_calls: 1,
      prompt: { id: "p" },
      reasoning: { effort: "low" },
      text: { format: { type: "json_object" } },
      truncation: "auto",
    },
  },
];

describe.each(wires)("a request of $name", (wire) => {
  const { read, least, used, elsewhere, refused } = wire;

  it("has no field that is neither used nor refused", () => {
    const plain = read(least);
    expect(plain).toBeTypeOf("string");
    const silent = Object.entries(used).filter(([field, value]) => {
      const told = read({ ...least, [field]: value });
      return told === plain || typeof told !== "string";
    });
    expect(silent).toEqual([]);
    for (const [field, value] of Object.entries(refused)) {
      expect(read({ ...least, [field]: value }), field).toEqual({ refused: [field] });
    }
  });

  it("is described here field by field", () => {
    const named = new Set([
      ...Object.keys(used),
      ...Object.keys(elsewhere),
      ...Object.keys(refused),
    ]);
    expect(wire.known.filter((field) => !named.has(field))).toEqual([]);
  });
});

it.each([
  [{ messages: [{ role: "user", content: "hi", name: "Ada" }] }, "messages"],
  [{ metadata: { conversation_id: "c", team: "a" } }, "metadata"],
  [{ tools: [{ type: "function", function: { ...tool, cache: true } }] }, "tools"],
  [
    {
      messages: [
        {
          role: "user",
          content: [
            { type: "image_url", image_url: { url: "data:image/png;base64,QUJD", detail: "low" } },
          ],
        },
      ],
    },
    "messages",
  ],
])("a completion is refused for what is inside a field: %j", (extra, field) => {
  const completions = wires.find(({ name }) => name === "chat completions");
  expect(completions?.read({ ...completions.least, ...extra })).toEqual({ refused: [field] });
});
