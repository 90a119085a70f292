/** Tools whose arguments are described by the libraries themselves, as an author of a tool installs them. */
import { toJsonSchema } from "@valibot/to-json-schema";
import { type } from "arktype";
import * as v from "valibot";
import { expect, it } from "vitest";
import { z } from "zod";
import * as mini from "zod/mini";
import { z as z3 } from "zod-3";
import { z as z4of3 } from "zod-3/v4";
import { defineTool } from "./defineTool.js";
import { testContext } from "./testing/testContext.js";

const options = { name: "trip", description: "Plans a trip.", kind: "other" as const };

// Each `run` below reads the fields by the types that its library infers.
const valibot = v.object({
  city: v.pipe(v.string(), v.minLength(2)),
  days: v.optional(v.number(), 3),
});
const tools = {
  "zod 4": defineTool({
    ...options,
    input: z.object({ city: z.string().min(2), days: z.number().default(3) }),
    run: ({ city, days }) => `${city.toUpperCase()} ${days.toFixed(0)}`,
  }),
  "zod/mini": defineTool({
    ...options,
    input: mini.object({
      city: mini.string().check(mini.minLength(2)),
      days: mini._default(mini.number(), 3),
    }),
    run: ({ city, days }) => `${city.toUpperCase()} ${days.toFixed(0)}`,
  }),
  "zod/v4 of zod 3.25": defineTool({
    ...options,
    input: z4of3.object({ city: z4of3.string().min(2), days: z4of3.number().default(3) }),
    run: ({ city, days }) => `${city.toUpperCase()} ${days.toFixed(0)}`,
  }),
  "zod 3.25 with its JSON Schema": defineTool({
    ...options,
    input: z3.object({ city: z3.string().min(2), days: z3.number().default(3) }),
    jsonSchema: {
      type: "object",
      properties: { city: { type: "string" }, days: { type: "number" } },
      required: ["city"],
    },
    run: ({ city, days }) => `${city.toUpperCase()} ${days.toFixed(0)}`,
  }),
  valibot: defineTool({
    ...options,
    input: valibot,
    jsonSchema: toJsonSchema(valibot),
    run: ({ city, days }) => `${city.toUpperCase()} ${days.toFixed(0)}`,
  }),
  arktype: defineTool({
    ...options,
    input: type({ city: "string >= 2", days: "number = 3" }),
    run: ({ city, days }) => `${city.toUpperCase()} ${days.toFixed(0)}`,
  }),
};

it.each(Object.entries(tools))(
  "%s: the model is told the fields, and faults by field",
  async (_, tool) => {
    expect(tool.inputSchema).toMatchObject({
      type: "object",
      properties: { city: { type: "string" }, days: { type: "number" } },
      required: ["city"],
    });
    expect(await tool.execute({ city: "Oslo" }, testContext("/nowhere"))).toEqual({
      output: "OSLO 3",
    });
    const problem = await tool.inputProblem({ city: 7 });
    expect(problem).toMatch(
      /^The arguments of trip are not valid\. "city": .*\. Call trip again with: /,
    );
  },
);

it("zod 3.25 alone is refused with what to do", () => {
  const input = z3.object({ city: z3.string() });
  expect(() => defineTool({ ...options, input, run: ({ city }) => city })).toThrow(
    'The schema of trip (zod) does not say what a model has to know: import zod 4, or "zod/v4" of zod 3.25.',
  );
});

it("asks an arktype without the newer part of Standard Schema in its own way", () => {
  const whole = type({ city: "string" });
  const { version, vendor, validate } = whole["~standard"];
  const older = {
    "~standard": { version, vendor, validate },
    toJsonSchema: () => whole.toJsonSchema(),
  };
  const { inputSchema } = defineTool({ ...options, input: older, run: () => "" });
  expect(inputSchema).toMatchObject({ properties: { city: { type: "string" } } });
});
