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

  describe("offers models", () => {
    const agent = { model: "a:1?effort=low", models: ["b:2", "b:3?header.x-team=ops"], tools: [] };
    const asked = (model: string) => agentOptionsFor(agent, { model }, {}, [], () => []).model;
    const problemOf = (model: string): unknown => {
      try {
        return asked(model);
      } catch (error) {
        if (!(error instanceof HttpProblem)) throw error;
        return [error.status, error.kind, error.options.errors?.[0]?.field];
      }
    };

    it("whose harmless options a request may choose", () => {
      expect(asked("b:2?effort=high&maxOutputTokens=100&temperature=0&timeout=5")).toBe(
        "b:2?effort=high&maxOutputTokens=100&temperature=0&timeout=5",
      );
      expect(asked("b:2?thinkingBudget=1024")).toBe("b:2?thinkingBudget=1024");
      expect(asked("a:1?temperature=1")).toBe("a:1?effort=low&temperature=1");
      expect(asked("b:3?effort=high")).toBe("b:3?header.x-team=ops&effort=high");
    });

    it.each([
      ["b:2?header.authorization=Bearer%20x", "a header"],
      ["b:2?HEADER.x=1", "a header in capitals"],
      ["b:2?option.base_url=http://evil.test", "a provider's own field"],
      ["b:2?api=chat", "the protocol"],
      ["b:2?baseUrl=http://evil.test", "an address"],
      ["b:2?effort=high&effort=low&header.x=1", "a header behind others"],
      ["a:1?effort=max", "what the server has fixed"],
      ["b:3?header.x-team=me", "a header that the server has fixed"],
      ["b:2?effort=enormous", "a value that there is not"],
    ])("and refuses %s: %s", (model) => {
      expect(problemOf(model)).toEqual([422, "model-option-refused", "config_overrides.model"]);
    });

    it("and no others", () => {
      for (const model of ["c:3?effort=high", "b:2 ?effort=high", "?effort=high", "a:1"]) {
        expect(problemOf(model)).toEqual([422, "model-not-offered", "config_overrides.model"]);
      }
    });
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
