import type { JsonObject, JsonValue } from "@callboard/run-log";
import { afterAll, describe, expect, it } from "vitest";
import { createSchemaThread } from "./schemaThread.js";

/** The time of no task is ever up. */
const endless = { sleep: () => new Promise<void>(() => undefined) };
const thread = createSchemaThread({ maxSchemaChars: 100_000, clock: endless });
afterAll(thread.close);

/** Each level refers twice to the next: the check of a value that does not fit doubles at each. */
function bomb(levels: number): JsonObject {
  const defs: Record<string, JsonObject> = { [`d${levels}`]: { type: "string" } };
  for (let level = 0; level < levels; level += 1) {
    const next = { $ref: `#/$defs/d${level + 1}` };
    defs[`d${level}`] = { anyOf: [next, next] };
  }
  return { type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs: defs };
}

const outcomeOf = async (
  schema: JsonObject,
  input: JsonValue,
  by = thread,
): Promise<readonly unknown[]> => {
  try {
    const check = await by.check("user", "look", schema);
    return ["passed", await check.parse(input)];
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return [error.name, "errorType" in error ? error.errorType : "", error.message];
  }
};

describe("a stranger's schema", () => {
  it("is applied, and a violation names the field", async () => {
    const schema = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
    expect(await outcomeOf(schema, { a: "x" })).toEqual(["passed", { a: "x" }]);
    expect(await outcomeOf(schema, { a: 3 })).toEqual([
      "ToolFailure",
      "invalid_arguments",
      'The arguments of look are not valid. "a": must be string.',
    ]);
    expect(await outcomeOf(schema, {})).toEqual([
      "ToolFailure",
      "invalid_arguments",
      'The arguments of look are not valid. "a": required, but missing.',
    ]);
  });

  it("sees nothing of another stranger's", async () => {
    const named = { $id: "https://example.com/one", type: "object", required: ["a"] };
    expect(await outcomeOf(named, { a: 1 })).toEqual(["passed", { a: 1 }]);
    const same = { ...named, required: ["b"] };
    expect(await outcomeOf(same, { b: 1 })).toEqual(["passed", { b: 1 }]);
    const [name] = await outcomeOf({ $ref: "https://example.com/one" }, {});
    expect(name).toBe("SchemaRefusedError");
  });

  it.each<[string, JsonObject, RegExp]>([
    ["a wrong keyword", { type: "zzz" }, /must be equal to one of the allowed values/],
    ["a reference to nothing", { $ref: "#/nowhere" }, /can't resolve reference/],
    ["a pattern that does not parse", { pattern: "(" }, /Invalid regular expression/],
    ["too many characters", { description: "x".repeat(100_000) }, /at most 100000 are accepted/],
  ])("is refused for %s", async (_, schema, reason) => {
    const [name, , message] = await outcomeOf(schema, {});
    expect([name, reason.test(String(message))]).toEqual(["SchemaRefusedError", true]);
  });

  it("that takes too long ends with its thread, and the next one is checked by a new one", async () => {
    const waiting: ((isOver: true) => void)[] = [];
    const sleep = (): Promise<void> =>
      new Promise((resolve) => void waiting.push(() => resolve(undefined)));
    let used = 0;
    const hasty = createSchemaThread({ clock: { sleep }, taskMs: 300, processorMs: () => used });
    const heavy = bomb(60);
    const check = await hasty.check("user", "look", heavy);
    expect(await check.parse({ a: "fits" })).toEqual({ a: "fits" });
    const late = outcomeOf(heavy, { a: 1 }, hasty);
    // The fourth task: the time of the three before it was never up.
    while (waiting.length < 4) await new Promise((resolve) => setImmediate(resolve));
    used = 299;
    waiting[3]?.(true);
    // It had too little of the processor to be too slow: it may continue.
    while (waiting.length < 5) await new Promise((resolve) => setImmediate(resolve));
    used = 300;
    waiting[4]?.(true);
    const [name, type, message] = await late;
    expect([name, type]).toEqual(["ToolFailure", "unchecked_arguments"]);
    expect(message).toMatch(
      /could not be checked against its schema: it takes longer than 300 ms to apply\.$/,
    );
    expect(await outcomeOf(bomb(2), { a: "fits" }, hasty)).toEqual(["passed", { a: "fits" }]);
    await hasty.close();
    const [closed, , why] = await outcomeOf(bomb(1), { a: "fits" }, hasty);
    expect([closed, why]).toEqual(["SchemaRefusedError", "the server is shutting down"]);
  });

  it("that takes too much memory fails the same way", async () => {
    const narrow = createSchemaThread({ clock: endless, memoryMb: 16 });
    const [name, type, message] = await outcomeOf(bomb(60), { a: 1 }, narrow);
    expect([name, type, message]).toEqual([
      "ToolFailure",
      "unchecked_arguments",
      "The arguments of look could not be checked against its schema: it takes more than 16 MB of memory to apply.",
    ]);
    expect(await outcomeOf(bomb(2), { a: "fits" }, narrow)).toEqual(["passed", { a: "fits" }]);
    await narrow.close();
  });
});
