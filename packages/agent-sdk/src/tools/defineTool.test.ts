import type { JsonObject, JsonValue } from "@callboard/run-log";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "./defineTool.js";
import { failureOf } from "./testing/failureOf.js";
import { testContext } from "./testing/testContext.js";

const context = testContext("/project");
const input = z.strictObject({
  path: z.string(),
  count: z.int().min(1).optional(),
  items: z.array(z.strictObject({ status: z.enum(["open", "done"]) })).optional(),
});

const strict = defineTool({
  name: "look",
  description: "Looks.",
  kind: "read",
  input,
  title: "Looking at {{path}} {{count}} times",
  run: ({ path, count = 1 }) => `${path} ${count}`,
});

const jsonSchema: JsonObject = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "object",
  properties: {
    path: { type: "string", format: "no-such-format" },
    mode: { enum: ["fast", "slow"] },
    pair: { type: "array", prefixItems: [{ type: "number" }, { type: "string" }] },
  },
  required: ["path"],
  additionalProperties: false,
};

const fromJson = defineTool({
  name: "look",
  description: "Looks.",
  kind: "read",
  input: jsonSchema,
  run: (value) => JSON.stringify(value),
});

const told = async (tool: typeof strict, value: JsonValue) => {
  const { errorType, message } = await failureOf(tool.execute(value, context));
  return { errorType, message };
};

describe("a defined tool", () => {
  it("tells the model a plain JSON Schema", () => {
    expect(strict.inputSchema).toMatchObject({
      type: "object",
      required: ["path"],
      additionalProperties: false,
    });
    expect(Object.keys(strict.inputSchema)).not.toContain("$schema");
    expect(fromJson.inputSchema).toMatchObject({ type: "object", required: ["path"] });
  });

  it("starts nothing for a call that is stopped while its arguments are checked", async () => {
    const stop = new AbortController();
    let runs = 0;
    const counting = defineTool({
      name: "count",
      description: "Counts.",
      kind: "other",
      input: z.strictObject({}),
      run: () => {
        runs += 1;
      },
    });
    const ended = counting.execute({}, testContext("/project", { signal: stop.signal }));
    stop.abort(new Error("stopped"));
    await expect(ended).rejects.toThrow("stopped");
    expect(runs).toBe(0);
  });

  it("runs with checked arguments and makes a result of a text", async () => {
    expect(await strict.execute({ path: "a", count: 2 }, context)).toEqual({ output: "a 2" });
    expect(await fromJson.execute({ path: "a" }, context)).toEqual({ output: '{"path":"a"}' });
  });

  it("strips unknown keys where the schema says so", async () => {
    const loose = defineTool({
      name: "loose",
      description: "",
      kind: "other",
      input: z.object({ path: z.string() }),
      run: (value) => JSON.stringify(value),
    });
    expect(await loose.execute({ path: "a", other: 1 }, context)).toEqual({
      output: '{"path":"a"}',
    });
  });

  it.each<[JsonValue, string]>([
    [{}, '"path": expected string, received undefined'],
    [{ path: 3 }, '"path": expected string, received number'],
    [{ path: "a", count: 0 }, '"count": Too small: expected number to be >=1'],
    [{ path: "a", other: 1 }, '"other": no such field'],
    [
      { path: "a", items: [{ status: "?" }] },
      '"items[0].status": Invalid option: expected one of "open"|"done"',
    ],
    ["text", "the arguments: expected object, received string"],
    [null, "the arguments: expected object, received null"],
  ])("a violation of zod %j names the field", async (value, fault) => {
    expect(await told(strict, value)).toEqual({
      errorType: "invalid_arguments",
      message: `The arguments of look are not valid. ${fault}.`,
    });
  });

  it("names all violations at once, and what is expected altogether", async () => {
    const failure = await failureOf(strict.execute({ count: 0, x: 1 }, context));
    expect(failure.message).toBe(
      'The arguments of look are not valid. "path": expected string, received undefined; "count": Too small: expected number to be >=1; "x": no such field.',
    );
    expect(failure.suggestion).toBe(
      "Call look again with: path (string, required), count (integer), items (array).",
    );
  });

  it.each<[JsonValue, string]>([
    [{}, '"path": required, but missing'],
    [{ path: 1 }, '"path": must be string'],
    [{ path: "a", other: 1 }, '"other": no such field'],
    [
      { path: "a", mode: "?" },
      '"mode": must be equal to one of the allowed values: ["fast","slow"]',
    ],
    [{ path: "a", pair: ["x"] }, '"pair[0]": must be number'],
    [[], "the arguments: must be object"],
  ])("a violation of JSON Schema %j names the field", async (value, fault) => {
    expect(await told(fromJson, value)).toEqual({
      errorType: "invalid_arguments",
      message: `The arguments of look are not valid. ${fault}.`,
    });
  });

  it("bounds what it tells of very wrong arguments", async () => {
    const wrong = Object.fromEntries(Array.from({ length: 5000 }, (_, key) => [`k${key}`, 1]));
    const { message } = await told(strict, wrong);
    expect(message.length).toBeLessThan(2000);
    expect(message).toContain("and 4989 more");
  });

  it("refuses a schema that cannot work when it is defined", () => {
    const bad: JsonObject = { type: "object", properties: { a: { $ref: "#/nowhere" } } };
    const define = () =>
      defineTool({ name: "bad", description: "", kind: "other", input: bad, run: () => "" });
    expect(define).toThrow("can't resolve reference #/nowhere");
  });

  it.each(["", "a b", "a.b", "ä", "x".repeat(65), "a\n"])("cannot be named %j", (name) => {
    const define = () =>
      defineTool({ name, description: "", kind: "other", input: z.object({}), run: () => "" });
    expect(define).toThrow(TypeError);
  });

  it("fills its title from incomplete arguments and leaves out what is missing", () => {
    expect(strict.title({ path: "a\n b", count: 2 })).toBe("Looking at a b 2 times");
    expect(strict.title({})).toBe("Looking at times");
    expect(strict.title({ path: ["no", "text"] })).toBe("Looking at times");
    expect(fromJson.title({ path: "a" })).toBeUndefined();
    const own = defineTool({
      name: "own",
      description: "",
      kind: "other",
      input: z.object({}),
      title: "{{constructor}}{{__proto__}}",
      run: () => "",
    });
    expect(own.title({})).toBeUndefined();
  });

  it("shows its first text by default, bounded and on one line", () => {
    expect(strict.compactParams({ count: 1, path: "a\nb" })).toBe("a b");
    expect(strict.compactParams({ path: "x".repeat(10_000) })).toBe(`${"x".repeat(79)}…`);
    expect(strict.compactParams({ count: 1 })).toBeUndefined();
  });

  it("has careful defaults", () => {
    expect(strict).toMatchObject({
      toolType: "local",
      concurrency: "exclusive",
      timeoutMs: 120_000,
      retries: 0,
      needsApproval: false,
      aliases: [],
    });
    expect(strict.locations({ path: "a" }, "/project")).toEqual([]);
    expect(strict.approvalTarget({ path: "a" })).toBeUndefined();
  });
});
