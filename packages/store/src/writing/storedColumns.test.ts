import { describe, expect, it } from "vitest";
import { storedColumns } from "./storedColumns.js";
import { storedJson, storedText } from "./storedText.js";

describe("numbers", () => {
  it("are brought to what their column holds", () => {
    const columns = { duration_ms: -5, input_tokens: 1e12, tool_duration_ms: 1.6, cost_usd: 0.01 };
    expect(storedColumns(columns)).toEqual({
      duration_ms: 0,
      input_tokens: 2_147_483_647,
      tool_duration_ms: 2,
      cost_usd: 0.01,
    });
  });

  it("that fit are left, and so is everything else", () => {
    const columns = { duration_ms: 7, input_tokens: null, output: "-5" };
    expect(storedColumns(columns)).toBe(columns);
  });
});

describe("text", () => {
  it.each([
    ["plain", "plain"],
    ["a\u0000b", "a\uFFFDb"],
    ["\u0000\u0000", "\uFFFD\uFFFD"],
  ])("%j is stored as %j", (text, stored) => {
    expect(storedText(text)).toBe(stored);
  });

  it.each([
    [{ a: "\u0000" }, { a: "\uFFFD" }],
    [{ "\u0000": 1 }, { "\uFFFD": 1 }],
    [
      ["\\u0000", "\\\u0000", "\\\\u0000"],
      ["\\u0000", "\\\uFFFD", "\\\\u0000"],
    ],
    [
      ["\ud800", "a\udfffb", "😀"],
      ["\uFFFD", "a\uFFFDb", "😀"],
    ],
    [["\\ud800"], ["\\ud800"]],
  ])("%j in JSON becomes what jsonb takes", (value, stored) => {
    expect(JSON.parse(storedJson(value))).toEqual(stored);
  });
});
