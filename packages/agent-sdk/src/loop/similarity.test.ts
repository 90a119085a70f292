import type { JsonValue } from "@callboard/run-log";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprintOf, similarityOf, stableJson } from "./similarity.js";

const similarity = (one: JsonValue, other: JsonValue): number =>
  similarityOf(fingerprintOf(stableJson(one)), fingerprintOf(stableJson(other)));

describe("similarity of arguments", () => {
  it("is high for a question put in other words", () => {
    const one = { query: "weather in paris today and tomorrow morning" };
    expect(
      similarity(one, { query: "weather in paris today or tomorrow morning" }),
    ).toBeGreaterThan(0.8);
    expect(similarity(one, { query: "the price of copper in chile" })).toBeLessThan(0.3);
  });

  it("is none for another file or address", () => {
    expect(similarity({ path: "src/deep/a1.ts" }, { path: "src/deep/a2.ts" })).toBe(0);
    expect(similarity({ url: "https://a.dev/1" }, { url: "https://a.dev/2" })).toBe(0);
    expect(similarity({ command: "cat a.ts" }, { command: "cat b.ts" })).toBe(0);
  });

  it("is one with itself, symmetric and between 0 and 1", async () => {
    await fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (left, right) => {
        const one: JsonValue = JSON.parse(JSON.stringify(left));
        const other: JsonValue = JSON.parse(JSON.stringify(right));
        expect(similarity(one, one)).toBe(1);
        expect(similarity(one, other)).toBe(similarity(other, one));
        expect(similarity(one, other)).toBeGreaterThanOrEqual(0);
        expect(similarity(one, other)).toBeLessThanOrEqual(1);
      }),
    );
  });

  it("does not mind how deep a value is", () => {
    const deep: JsonValue = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    expect(stableJson(deep)).toContain("…");
  });
});
