import { createSchemaThread } from "@callboard/agent-sdk/serving";
import type { JsonObject, JsonValue } from "@callboard/run-log";
import { afterAll, describe, expect, it } from "vitest";
import { HttpProblem } from "../http/problem.js";
import { type ClientTool, clientToolsBeside, createClientCalls } from "./clientTools.js";

const schemas = createSchemaThread();
afterAll(schemas.close);
const calls = createClientCalls({ schemas });
const toolFor = (tool: ClientTool) => calls.toolFor("user", tool);

function clientTool(name: string, input_schema: JsonObject = { type: "object" }) {
  const schema: Record<string, JsonValue> = { ...input_schema };
  return {
    name,
    description: "",
    input_schema: JSON.parse(JSON.stringify(schema)),
    expires_in_seconds: 60,
  };
}

/** Whether a call with these arguments reaches the client. */
async function checked(schema: JsonObject, input: JsonValue): Promise<string> {
  const tool = await toolFor(clientTool("open_tab", schema));
  const problem = await tool.inputProblem(input);
  return problem === undefined ? "done" : "invalid_arguments";
}

const slow = "^(a+)+$";
const hostile = `${"a".repeat(40)}!`;

describe("what a client's schema says", () => {
  it.each<[string, JsonObject, JsonValue]>([
    ["a pattern", { properties: { a: { type: "string", pattern: slow } } }, { a: hostile }],
    ["a pattern for all", { additionalProperties: { pattern: slow } }, { a: hostile }],
    ["a pattern of names", { propertyNames: { pattern: slow } }, { [hostile]: 1 }],
    ["patterns of properties", { patternProperties: { [slow]: false } }, { [hostile]: 1 }],
    [
      "patterns beside which nothing may be",
      { patternProperties: { [slow]: {} }, additionalProperties: false },
      { [hostile]: 1 },
    ],
    [
      "a pattern that is referred to, wherever it lies",
      { enum_of: { patternProperties: { [slow]: false }, pattern: slow }, $ref: "#/enum_of" },
      { [hostile]: 1 },
    ],
    ["patterns in a list", { properties: { a: { anyOf: [{ pattern: slow }] } } }, { a: hostile }],
  ])("%s is the client's to check", async (_, schema, input) => {
    expect(await checked(schema, input)).toBe("done");
  });

  it("is checked otherwise, and told to the model as it is", async () => {
    const schema = {
      type: "object",
      properties: { pattern: { type: "string", pattern: slow } },
      required: ["pattern"],
    };
    expect(await checked(schema, { pattern: 3 })).toBe("invalid_arguments");
    expect(await checked(schema, {})).toBe("invalid_arguments");
    expect((await toolFor(clientTool("open_tab", schema))).inputSchema).toEqual(schema);
  });

  it("is never checked later than it is asked", async () => {
    const schema = { $async: true, type: "object", required: ["a"] };
    expect(await checked(schema, {})).toBe("invalid_arguments");
  });
});

describe("a client's tools", () => {
  type Tools = readonly ReturnType<typeof clientTool>[];
  const fieldOfRefusal = async (tools: Tools): Promise<unknown> => {
    const own = [await toolFor(clientTool("shell"))];
    try {
      const made = await clientToolsBeside(own, tools, toolFor, "client_tools");
      return made.map(({ name }) => name);
    } catch (error) {
      if (!(error instanceof HttpProblem)) throw error;
      return [error.status, error.kind, error.options.errors?.map(({ field }) => field)];
    }
  };
  const refused = (field: string) => [422, "invalid-request", [field]];
  const fine = clientTool("fine");

  it("are used beside the agent's own, or the first that cannot be is named", async () => {
    expect(await fieldOfRefusal([fine, clientTool("too")])).toEqual(["fine", "too"]);
    expect(await fieldOfRefusal([fine, clientTool("shell")])).toEqual(refused("client_tools.1"));
    expect(await fieldOfRefusal([clientTool("delegate")])).toEqual(refused("client_tools.0"));
    expect(await fieldOfRefusal([fine, fine])).toEqual(refused("client_tools.1"));
    const unusable: readonly JsonObject[] = [
      { type: "zzz" },
      { $ref: "#/nowhere" },
      { $ref: "https://example.com/schema.json" },
      { properties: { a: { pattern: "(" } } },
      { properties: 3 },
    ];
    for (const schema of unusable) {
      const odd = clientTool("odd", schema);
      expect(await fieldOfRefusal([fine, odd])).toEqual(refused("client_tools.1"));
    }
  });

  it("are refused when a schema, or all of them together, are too large", async () => {
    const large = (name: string, chars: number) =>
      clientTool(name, { type: "object", description: "x".repeat(chars) });
    expect(await fieldOfRefusal([fine, large("large", 140_000)])).toEqual(
      refused("client_tools.1"),
    );
    const many = ["a", "b", "c", "d", "e"].map((name) => large(name, 120_000));
    expect(await fieldOfRefusal(many)).toEqual(refused("client_tools.4"));
  });
});
