import { describe, expect, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import type { StandardSchema } from "../types/standardSchema.js";
import { defineTool } from "./defineTool.js";
import { testContext } from "./testing/testContext.js";

const options = { name: "greet", description: "greets", kind: "other" as const };

/** A schema as a library other than zod makes it. */
function standard<Output>(
  vendor: string,
  validate: StandardSchema<Output>["~standard"]["validate"],
  more: object = {},
): StandardSchema<Output> {
  return { "~standard": { version: 1, vendor, validate, ...more } };
}

const named = standard<{ readonly name: string }>("other", (value) => {
  const name = typeof value === "object" && value !== null && "name" in value ? value.name : 0;
  if (typeof name === "string") return { value: { name } };
  return { issues: [{ message: "must be text", path: ["people", { key: 3 }, "name"] }] };
});

describe("a tool whose arguments have a Standard Schema", () => {
  it("is told what the library says, and given what it parsed", async () => {
    const input = { input: () => ({ $schema: "x", type: "object", properties: { name: {} } }) };
    const schema = standard("new", named["~standard"].validate, { jsonSchema: input });
    const tool = defineTool({ ...options, input: schema, run: ({ name }) => `hello ${name}` });
    expect(tool.inputSchema).toEqual({ type: "object", properties: { name: {} } });
    expect(await tool.execute({ name: "Ada" }, testContext("/nowhere"))).toEqual({
      output: "hello Ada",
    });
  });

  it("asks the library for the JSON Schema of a schema once, however many tools have it", () => {
    let asked = 0;
    const input = () => {
      asked += 1;
      return { type: "object" };
    };
    const schema = standard("new", named["~standard"].validate, { jsonSchema: { input } });
    const given = defineTool({
      ...options,
      input: schema,
      jsonSchema: { title: "given" },
      run: () => "",
    });
    const tools = [1, 2].map(() => defineTool({ ...options, input: schema, run: () => "" }));
    expect(given.inputSchema).toEqual({ title: "given" });
    expect(tools.map(({ inputSchema }) => inputSchema)).toEqual([
      { type: "object" },
      { type: "object" },
    ]);
    expect(asked).toBe(1);
  });

  it("may be given the JSON Schema of a library that cannot say it, and names faults by place", async () => {
    const jsonSchema = { type: "object", properties: { name: { type: "string" } } };
    const tool = defineTool({ ...options, input: named, jsonSchema, run: () => "" });
    expect(tool.inputSchema).toEqual(jsonSchema);
    expect(await tool.inputProblem({})).toBe(
      'The arguments of greet are not valid. "people[3].name": must be text. Call greet again with: name (string).',
    );
  });

  it("waits for a check that takes time", async () => {
    const slow = standard<number>("slow", async () => ({ value: 42 }));
    const tool = defineTool({ ...options, input: slow, jsonSchema: {}, run: (input) => input + 1 });
    expect(await tool.execute({}, testContext("/nowhere"))).toEqual({ output: 43 });
  });

  it("takes a schema that is a function, as arktype makes them", () => {
    const callable = Object.assign(() => undefined, named, {
      toJsonSchema: () => ({ type: "object", required: ["name"] }),
    });
    const tool = defineTool({ ...options, input: callable, run: ({ name }) => name });
    expect(tool.inputSchema).toEqual({ type: "object", required: ["name"] });
  });

  it.each([
    [
      "zod",
      'greet (zod) does not say what a model has to know: import zod 4, or "zod/v4" of zod 3.25.',
    ],
    ["valibot", "give `toJsonSchema(schema)` of @valibot/to-json-schema as `jsonSchema`."],
    ["else", "give its JSON Schema as `jsonSchema`."],
  ])("is refused where %s says nothing, with what to do", (vendor, message) => {
    const input = standard(vendor, named["~standard"].validate);
    expect(() => defineTool({ ...options, input, run: () => "" })).toThrow(message);
  });

  it.each([
    ["zod", z.object({ name: z.string() })],
    ["zod/mini", mini.object({ name: mini.string() })],
  ] as const)("of %s names faults in the words of zod", async (_, input) => {
    const tool = defineTool({ ...options, input, run: ({ name }) => name });
    expect(tool.inputSchema).toMatchObject({ properties: { name: { type: "string" } } });
    expect(await tool.inputProblem({ name: 1 })).toBe(
      'The arguments of greet are not valid. "name": expected string, received number. Call greet again with: name (string, required).',
    );
  });
});
