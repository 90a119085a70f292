/** How servers of chat completions depart from the protocol, over HTTP: read all the same, or refused in words. */
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFakeClock } from "../system/fakeClock.js";
import { askModel, brokenGuarantees } from "../testing/askModel.js";
import { anthropic, openai } from "../testing/providerFrames.js";
import { hello, modelFor } from "../testing/providerModels.js";
import {
  type ProviderServer,
  type Reply,
  type Step,
  startProviderServer,
} from "../testing/providerServer.js";

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

const json = (value: unknown): JsonObject => JSON.parse(JSON.stringify(value));
const frame = (value: unknown): Step => ({ frame: json(value) });
const raw = (text: string): Step => ({ raw: text });
const tools = [
  { type: "function" as const, name: "read", inputSchema: { type: "object" as const } },
];

async function ask(reply: Reply, door: "openai" | "anthropic" | "google" = "openai") {
  server.reply(reply);
  const asked = await askModel(modelFor(door, server), { tools });
  expect(brokenGuarantees(asked)).toStrictEqual([]);
  return asked;
}

async function callsOf(...steps: readonly Step[]): Promise<readonly unknown[]> {
  const { result } = await ask({ steps: [...steps, openai.finish("tool_calls")] });
  return (result?.toolCalls ?? []).map(({ name, parameters, problem }) =>
    problem === undefined ? [name, parameters] : [name, parameters, "problem"],
  );
}

const { call, calls } = openai;

describe("calls", () => {
  test("one index for all, interleaved by id", async () => {
    expect(
      await callsOf(
        calls(call(0, "a", { name: "read", arguments: "" })),
        calls(call(0, "b", { name: "read", arguments: "" })),
        calls(call(0, "a", { arguments: '{"p":1' })),
        calls(call(0, "b", { arguments: '{"p":2' })),
        calls(call(0, "a", { arguments: "}" })),
        calls(call(0, "b", { arguments: "}" })),
      ),
    ).toStrictEqual([
      ["read", '{"p":1}'],
      ["read", '{"p":2}'],
    ]);
  });

  test("indexes as texts", async () => {
    const at = (index: string, fields: JsonObject) => calls(json({ index, function: fields }));
    expect(
      await callsOf(
        at("0", { name: "read", arguments: '{"p"' }),
        at("1", { name: "read", arguments: '{"q"' }),
        at("0", { arguments: ":1}" }),
        at("1", { arguments: ":2}" }),
      ),
    ).toStrictEqual([
      ["read", '{"p":1}'],
      ["read", '{"q":2}'],
    ]);
  });

  test.each([
    ["without the name", {}],
    ["with the name", { name: "read" }],
  ])("a new id for each piece, %s", async (_, name) => {
    expect(
      await callsOf(
        calls(call(0, "a", { name: "read", arguments: '{"p"' })),
        calls(call(0, "b", { ...name, arguments: ":1" })),
        calls(call(0, "c", { ...name, arguments: "}" })),
      ),
    ).toStrictEqual([["read", '{"p":1}']]);
  });

  test("a name in pieces", async () => {
    expect(
      await callsOf(
        calls(call(0, "a", { name: "re" })),
        calls(call(0, undefined, { name: "ad" })),
        calls(call(0, undefined, { arguments: "{}" })),
      ),
    ).toStrictEqual([["read", "{}"]]);
  });

  test.each([
    ["an empty object before the arguments", ["{}", '{"p":1}'], '{"p":1}'],
    ["whole arguments sent again", ['{"p":1}', '{"p":1}'], '{"p":1}'],
    ["the text of a text", ['"{\\"p\\":', '1}"'], '{"p":1}'],
  ])("%s", async (_, pieces, whole) => {
    const [first = "", ...rest] = pieces;
    expect(
      await callsOf(
        calls(call(0, "a", { name: "read", arguments: first })),
        ...rest.map((text) => openai.input(0, text)),
      ),
    ).toStrictEqual([["read", whole]]);
  });

  test("two different objects are not joined, chosen from or run", async () => {
    expect(
      await callsOf(calls(call(0, "a", { name: "read", arguments: '{"p":1}{"p":2}' }))),
    ).toStrictEqual([["read", '{"p":1}{"p":2}', "problem"]]);
  });

  test("no arguments beside arguments that cannot be read: neither runs", async () => {
    expect(
      await callsOf(
        calls(call(0, "a", { name: "read", arguments: "" })),
        calls(call(1, "b", { name: "read", arguments: '{"p":1}"q":2}' })),
      ),
    ).toStrictEqual([
      ["read", "", "problem"],
      ["read", '{"p":1}"q":2}', "problem"],
    ]);
  });

  test("the older form of a single call", async () => {
    expect(
      await callsOf(
        openai.delta({ function_call: { name: "read", arguments: '{"p"' } }),
        openai.delta({ function_call: { arguments: ":1}" } }),
      ),
    ).toStrictEqual([["read", '{"p":1}']]);
  });

  test("control characters in arguments arrive as they were sent", async () => {
    const text = '{"p":"\u007f\u0085\u009f"}';
    expect(await callsOf(calls(call(0, "a", { name: "read", arguments: text })))).toStrictEqual([
      ["read", text],
    ]);
  });
});

describe("the stream", () => {
  const hi = [openai.text("Hello"), openai.finish("stop")];

  test.each([
    [
      "events under the label of JSON",
      { headers: { "content-type": "application/json" }, steps: hi },
    ],
    [
      "empty events, pings and nulls",
      { steps: [raw("data:\n\n"), raw("data: ping\n\n"), raw("data: null\n\n"), ...hi] },
    ],
    [
      "lines of bare JSON",
      {
        endsBare: true,
        steps: hi.map((step) => raw(`${JSON.stringify("frame" in step ? step.frame : "")}\n`)),
      },
    ],
    ["a byte order mark", { steps: [raw("\ufeff"), ...hi] }],
  ] as const)("%s", async (_, reply) => {
    expect((await ask(reply)).result?.content).toBe("Hello");
  });

  test("a finish without [DONE] on a connection that stays open ends the answer", async () => {
    const asked = await ask({ steps: [...hi, { hang: true }] });
    expect(asked.result?.content).toBe("Hello");
  });

  test("the second of two answers is omitted", async () => {
    const two = frame({ choices: [{ index: 1, delta: { content: "Other" } }] });
    const { result } = await ask({
      steps: [openai.text("Hel"), two, openai.text("lo"), openai.finish("stop")],
    });
    expect(result?.content).toBe("Hello");
  });

  test.each(["openai", "anthropic", "google"] as const)(
    "%s: a web page with status 200",
    async (door) => {
      const page = {
        headers: { "content-type": "text/html" },
        steps: [raw("<!doctype html><p>Welcome</p>")],
        endsBare: true,
      };
      const { error } = await ask(page, door);
      expect(error?.message).toContain(
        "answered with a web page instead of a model's answer: check the base URL",
      );
    },
  );

  test("a wrong base URL says so", async () => {
    const { error } = await ask({ status: 404, json: { error: { message: "Not Found" } } });
    expect(error?.message).toBe(
      "openai refused the request to test-model (HTTP 404): Not Found. Check the model's name and the base URL.",
    );
  });

  test.each([
    ["openai", hello.openai],
    ["anthropic", hello.anthropic],
    ["google", hello.google],
  ] as const)("%s: keep-alives count as activity", async (door, { steps = [] }) => {
    const clock = createFakeClock();
    const gates = [0, 1, 2].map(() => {
      let open: () => void = () => undefined;
      const until = new Promise<void>((resolve) => {
        open = resolve;
      });
      return { until, open };
    });
    const slow = gates.flatMap(({ until }) => [raw(": keep-alive\n\n"), { until }]);
    server.reply({ steps: [...slow, ...steps] });
    let heard = 0;
    const model = modelFor(door, server);
    const counting = {
      ...model,
      async doStream(options: Parameters<typeof model.doStream>[0]) {
        const answer = await model.doStream(options);
        const stream = answer.stream.pipeThrough(
          new TransformStream({
            transform(part, controller) {
              controller.enqueue(part);
              if (part.type !== "raw") return;
              heard += 1;
              queueMicrotask(() => {
                void clock.advance(600).then(() => gates[heard - 1]?.open());
              });
            },
          }),
        );
        return { ...answer, stream };
      },
    };
    const { result, error } = await askModel(counting, { clock, timeoutMs: 1_000 });
    expect(error?.message).toBeUndefined();
    expect(result?.content).toBe("Hello");
    expect(heard).toBe(3);
  });
});

describe("usage", () => {
  const counts = { prompt_tokens: 7, completion_tokens: 3 };
  const usage = { inputTokens: 7, outputTokens: 3 };

  test.each([
    ["in x_groq", frame({ choices: [], x_groq: { usage: counts } })],
    ["in the choice", frame({ choices: [{ index: 0, delta: {}, usage: counts }] })],
  ])("%s", async (_, counted) => {
    const { result } = await ask({ steps: [openai.text("Hi"), openai.finish("stop"), counted] });
    expect(result?.usage).toStrictEqual(usage);
  });

  test.each([400, 422])("is not asked for again where that was refused with %s", async (status) => {
    const refusal = json({ error: { message: "Unknown field: stream_options" } });
    server.reply({ status, json: refusal }, hello.openai, hello.openai);
    const model = modelFor("openai", server);
    expect((await askModel(model)).result?.content).toBe("Hello");
    expect((await askModel(model)).result?.content).toBe("Hello");
    const asked = server.requests.map(({ body }) => "stream_options" in Object(body));
    expect(asked).toStrictEqual([true, false, false]);
  });

  test("of a modality without a count does not lose Gemini's answer", async () => {
    const counted: JsonValue = {
      candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }],
      usageMetadata: {
        promptTokenCount: 7,
        candidatesTokenCount: 3,
        promptTokensDetails: [{ modality: "TEXT" }],
      },
    };
    const { result } = await ask({ steps: [{ frame: counted }] }, "google");
    expect(result).toMatchObject({ content: "Hi", usage });
  });
});

test("an empty `reasoning_content` does not hide `reasoning`", async () => {
  const thought = openai.delta({ reasoning_content: "", reasoning: "hm" });
  const { result } = await ask({ steps: [thought, openai.text("Hi"), openai.finish("stop")] });
  expect(result).toMatchObject({ reasoning: "hm", content: "Hi" });
});

test("Anthropic's indexes as texts", async () => {
  const at = (type: string, more: object) => frame({ type, index: "0", ...more });
  const { result } = await ask(
    {
      steps: [
        anthropic.begin(),
        at("content_block_start", { content_block: { type: "text", text: "" } }),
        at("content_block_delta", { delta: { type: "text_delta", text: "Hi" } }),
        at("content_block_stop", {}),
        ...anthropic.end("end_turn"),
      ],
    },
    "anthropic",
  );
  expect(result?.content).toBe("Hi");
});
