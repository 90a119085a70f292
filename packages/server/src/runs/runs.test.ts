import { defineTool } from "@callboard/agent-sdk";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { HttpProblem } from "../http/problem.js";
import { digestOf } from "./clientTools.js";
import { agentOptionsFor, createAgentDirectory } from "./servedAgent.js";
import { userInputOf } from "./userInput.js";

const tool = defineTool({
  name: "one",
  description: "",
  kind: "other",
  input: z.object({}),
  run: () => "",
});

describe("an agent of the configuration", () => {
  it("is bent by a request only within its limits", () => {
    const agent = {
      model: "a:1",
      models: ["b:2"],
      systemPrompt: "Be {{tone}} to {{ name }}, {{unknown}}.",
      tools: [],
      limits: { maxTurns: 10, maxCostUsd: 1 },
    };
    const variables = { tone: "calm", name: { first: "Ada" } };
    const overrides = { model: "b:2", max_turns: 50, max_cost_usd: 0.5, timeout_ms: 1_000 };
    const options = agentOptionsFor(agent, overrides, variables, [tool], () => []);
    expect(options).toEqual({
      model: "b:2",
      systemPrompt: 'Be calm to {"first":"Ada"}, {{unknown}}.',
      tools: [tool],
      limits: { maxTurns: 10, maxCostUsd: 0.5, maxRunMs: 1_000 },
    });
    expect(() => agentOptionsFor(agent, { model: "c:3" }, {}, [], () => [])).toThrow(HttpProblem);
  });

  it("keeps its built-in tools beside those of the client", () => {
    const options = agentOptionsFor({}, {}, {}, [tool], () => [tool, tool]);
    expect(options.tools?.length).toBe(3);
    expect(agentOptionsFor({}, {}, {}, [], () => [tool]).tools).toEqual([tool]);
    expect(agentOptionsFor({ tools: [] }, {}, {}, [], () => [tool]).tools).toEqual([]);
  });

  it("is found by its name, and a wrong name says which there are", () => {
    const directory = createAgentDirectory({ default: {}, writer: { description: "Writes." } });
    expect(directory.find("writer").agent.description).toBe("Writes.");
    expect(directory.find(undefined).name).toBe("default");
    expect(() => directory.find("toString")).toThrow(/There are: default, writer/);
  });
});

describe("what the user said", () => {
  it("is text and images, and nothing is fetched", () => {
    expect(userInputOf("hello")).toEqual({ text: "hello", images: [] });
    const parts = [
      { type: "input_text" as const, text: "one" },
      { type: "text" as const, text: "two" },
      { type: "input_image" as const, data: "QUJD", media_type: "image/png" },
      { type: "input_image" as const, image_url: "data:image/gif;base64,QUJD" },
    ];
    expect(userInputOf(parts)).toEqual({
      text: "one\ntwo",
      images: [
        { data: "QUJD", mediaType: "image/png" },
        { data: "QUJD", mediaType: "image/gif" },
      ],
    });
    const elsewhere = [{ type: "input_image" as const, image_url: "https://x/y.png" }];
    expect(() => userInputOf(elsewhere)).toThrow(/not fetched/);
  });
});

describe("a client's result", () => {
  it("is the same for the same, and another for another", () => {
    const digests = [
      digestOf({ output: { a: 1 }, is_error: false }),
      digestOf({ output: { a: 1 }, is_error: false, output_type: "json" }),
      digestOf({ output: '{"a":1}', is_error: false }),
      digestOf({ is_error: false }),
    ];
    expect(new Set(digests).size).toBe(4);
    expect(digestOf({ output: "", is_error: false })).toBe(digests[3]);
  });
});
