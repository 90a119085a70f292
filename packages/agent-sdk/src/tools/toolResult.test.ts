/** What a tool returns, taken at the door. */
import { describe, expect, it } from "vitest";
import { takenResult } from "./toolResult.js";

const taken = (output: string, outputType: "text" | "json", details = {}) => ({
  status: "taken",
  output,
  outputType,
  details,
});

describe("an output", () => {
  it.each<[unknown, string, "text" | "json"]>([
    ["text", "text", "text"],
    ["", "", "text"],
    [undefined, "", "text"],
    [null, "null", "json"],
    [42, "42", "json"],
    [false, "false", "json"],
    [[1, undefined, "x"], '[1,null,"x"]', "json"],
    [{ rows: [{ id: 1 }] }, '{"rows":[{"id":1}]}', "json"],
    [{ summary: "no output here" }, '{"summary":"no output here"}', "json"],
    [{ a: undefined, b: 1 }, '{"b":1}', "json"],
    [{ when: new Date(0) }, '{"when":"1970-01-01T00:00:00.000Z"}', "json"],
    [Object.assign(Object.create(null), { a: 1 }), '{"a":1}', "json"],
    [JSON.parse('{"__proto__":{"x":1}}'), '{"__proto__":{"x":1}}', "json"],
    [{ output: { output: 1 } }, '{"output":1}', "json"],
    [{ output: undefined }, "", "text"],
  ])("%# is any JSON value, a text or nothing", (result, output, outputType) => {
    expect(takenResult(result)).toEqual(taken(output, outputType));
  });

  it("comes with details; those that are undefined are omitted", () => {
    const result = {
      output: [1],
      summary: "one",
      images: [{ data: "aGk=", mediaType: "image/png" }],
      diffs: [{ path: "a", newText: "b" }],
      exitCode: 0,
      usage: { inputTokens: 1, outputTokens: 2 },
      persistKey: undefined,
      filePath: "/tmp/x",
      metadata: { a: { b: 1 }, c: undefined },
    };
    const { output: _, persistKey: __, ...details } = result;
    expect(takenResult(result)).toEqual(
      taken("[1]", "json", { ...details, metadata: { a: { b: 1 } } }),
    );
  });
});

describe("what does not fit", () => {
  const circle: Record<string, unknown> = { name: "x" };
  circle.self = { again: circle };
  const hostile = new Proxy(
    {},
    {
      ownKeys() {
        throw new Error("no keys");
      },
    },
  );
  it.each<[string, unknown, string]>([
    ["a function", () => 1, '"output": a function is not JSON'],
    [
      "a method inside",
      { output: { rows: [{ f() {} }] } },
      '"output.rows[0].f": a function is not JSON',
    ],
    ["a cycle", circle, '"output.self.again": the value contains itself'],
    ["a symbol", Symbol("x"), '"output": a symbol is not JSON'],
    ["a bigint", { n: 1n }, '"output.n": a bigint is not JSON; give a number or a string'],
    ["not a number", { n: Number.NaN }, '"output.n": NaN is not a number that JSON can carry'],
    ["a Map", { m: new Map() }, '"output.m": a Map is not JSON; give a plain object or text'],
    ["an error", new TypeError("x"), '"output": an Error is not JSON; give a plain object or text'],
    ["bytes", Buffer.from("x"), '"output": bytes are not JSON; give text, or an image in `images`'],
    ["a value that cannot be read", hostile, "the result: reading it failed: no keys"],
  ])("%s is named by its field", (_, result, problem) => {
    expect(takenResult(result)).toEqual({ status: "misfit", problem });
  });

  it("nested too deeply is refused without overflow", () => {
    let deep: unknown = 1;
    for (let depth = 0; depth < 20_000; depth += 1) deep = [deep];
    expect(takenResult(deep)).toEqual({
      status: "misfit",
      problem: "the result: it is nested more than 500 deep",
    });
  });

  it.each<[Record<string, unknown>, string]>([
    [{ sumary: "x" }, '"sumary": no such field'],
    [{ exitCode: 1.5 }, '"exitCode": expected int, received number'],
    [{ summary: 3 }, '"summary": expected string, received number'],
    [
      { images: [{ date: "x" }] },
      '"images[0].data": expected string, received undefined; "images[0].date": no such field',
    ],
    [
      { usage: { inputTokens: -1, outputTokens: 0 } },
      '"usage.inputTokens": Too small: expected number to be >=0',
    ],
    [{ metadata: [] }, '"metadata": must be JSON, nested at most 500 deep'],
  ])("in a known field keeps the output: %j", (fields, problem) => {
    expect(takenResult({ output: "42", ...fields })).toEqual({
      status: "misfit",
      problem,
      output: "42",
    });
  });
});
