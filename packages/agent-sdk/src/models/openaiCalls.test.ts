import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { askModel, brokenGuarantees, userPrompt } from "../testing/askModel.js";
import { openai } from "../testing/providerFrames.js";
import { modelFor } from "../testing/providerModels.js";
import { type ProviderServer, type Step, startProviderServer } from "../testing/providerServer.js";

let server: ProviderServer;
beforeEach(async () => {
  server = await startProviderServer();
});
afterEach(() => server.close());

/** The calls of an answer: id, name, arguments, problem. */
async function callsOf(steps: readonly Step[], endsBare = false): Promise<readonly unknown[]> {
  server.reply({ steps, endsBare });
  const asked = await askModel(modelFor("openai", server), { prompt: userPrompt("go") });
  expect(brokenGuarantees(asked)).toStrictEqual([]);
  expect(asked.error).toBeUndefined();
  return (asked.result?.toolCalls ?? []).map(({ id, name, parameters, problem }) =>
    problem === undefined ? [id, name, parameters] : [id, name, parameters, problem],
  );
}

const { call, calls, start, input, finish } = openai;
const end = finish("tool_calls");

describe("habits of calls", () => {
  test("the name comes late, and so do the arguments", async () => {
    expect(
      await callsOf([
        calls(call(0, "a", {})),
        calls(call(0, undefined, { arguments: '{"p"' })),
        calls(call(0, undefined, { name: "read", arguments: ":1}" })),
        end,
      ]),
    ).toStrictEqual([["a", "read", '{"p":1}']]);
  });

  test("the id comes late", async () => {
    expect(
      await callsOf([
        calls(call(0, undefined, { name: "read", arguments: "" })),
        input(0, '{"p"'),
        calls(call(0, "a", { arguments: ":1}" })),
        end,
      ]),
    ).toStrictEqual([["a", "read", '{"p":1}']]);
  });

  test("id and name come with every delta", async () => {
    expect(
      await callsOf([
        calls(call(0, "a", { name: "read", arguments: '{"p"' })),
        calls(call(0, "a", { name: "read", arguments: ":1}" })),
        end,
      ]),
    ).toStrictEqual([["a", "read", '{"p":1}']]);
  });

  test("ids never come: they are made up from the index, and long arguments do not wait for them", async () => {
    const long = JSON.stringify({ p: "x".repeat(3000) });
    server.reply({
      steps: [
        calls(call(0, undefined, { name: "read", arguments: "{}" })),
        calls(call(3, undefined, { name: "write", arguments: long.slice(0, 1500) })),
        input(3, long.slice(1500)),
        end,
      ],
    });
    const { result, parts } = await askModel(modelFor("openai", server));
    expect(result?.toolCalls.map(({ id }) => id)).toStrictEqual(["call_3", "call_0"]);
    expect(result?.toolCalls[0]?.parameters).toBe(long);
    expect(parts.filter(({ type }) => type === "callInput")).toHaveLength(3);
  });

  test("the same id twice, by index and without one", async () => {
    expect(
      await callsOf([
        start(0, "a", "read"),
        start(1, "a", "list"),
        input(0, "{}"),
        input(1, "[]"),
        end,
      ]),
    ).toStrictEqual([
      ["a", "read", "{}"],
      ["a_2", "list", "[]"],
    ]);
    const whole = call(undefined, "a", { name: "read", arguments: "{}" });
    expect(await callsOf([calls(whole), calls(whole), end])).toStrictEqual([
      ["a", "read", "{}"],
      ["a_2", "read", "{}"],
    ]);
  });

  test("one index for all calls, or none", async () => {
    const one = { name: "read", arguments: '{"p":1}' };
    const two = { name: "read", arguments: '{"p":2}' };
    const both = [
      ["a", "read", '{"p":1}'],
      ["b", "read", '{"p":2}'],
    ];
    expect(await callsOf([calls(call(0, "a", one)), calls(call(0, "b", two)), end])).toStrictEqual(
      both,
    );
    expect(
      await callsOf([calls(call(undefined, "a", one), call(undefined, "b", two)), end]),
    ).toStrictEqual(both);
    expect(
      await callsOf([
        calls(call(undefined, undefined, one)),
        calls(call(undefined, undefined, { name: "read", arguments: '{"p"' })),
        calls(call(undefined, undefined, { arguments: ":2}" })),
        end,
      ]),
    ).toStrictEqual([
      ["call_0", "read", '{"p":1}'],
      ["call_1", "read", '{"p":2}'],
    ]);
  });

  test("arguments in the final frame only", async () => {
    const last = (message: object) => ({
      frame: JSON.parse(
        JSON.stringify({ choices: [{ index: 0, ...message, finish_reason: "tool_calls" }] }),
      ),
    });
    const whole = call(0, "a", { name: "read", arguments: '{"p":1}' });
    const expected = [["a", "read", '{"p":1}']];
    expect(
      await callsOf([start(0, "a", "read"), last({ delta: { tool_calls: [whole] } })]),
    ).toStrictEqual(expected);
    expect(
      await callsOf([start(0, "a", "read"), last({ message: { tool_calls: [whole] } })]),
    ).toStrictEqual(expected);
    expect(
      await callsOf([
        start(0, "a", "read"),
        input(0, '{"p":1}'),
        last({ message: { tool_calls: [whole] } }),
      ]),
    ).toStrictEqual(expected);
  });

  test("arguments as an object, and stop as the reason", async () => {
    expect(
      await callsOf([calls(call(0, "a", { name: "read", arguments: { p: 1 } })), finish("stop")]),
    ).toStrictEqual([["a", "read", '{"p":1}']]);
  });

  test("a call that is never named ends with a problem", async () => {
    expect(await callsOf([calls(call(0, "a", { arguments: "{}" })), end])).toStrictEqual([
      ["a", "unknown", "{}", "The model did not name the tool that it calls."],
    ]);
  });
});
