import { describe, expect, it } from "vitest";
import { tortureParts } from "./torture/parts.js";
import { seedsUpTo, tortured } from "./torture/run.js";

describe("torture, in its quick form", () => {
  it.each(tortureParts)("$name: $promise", (part) => {
    const { failures, count } = tortured(part, seedsUpTo(part.quickCount));
    expect(failures).toEqual([]);
    expect(count).toBe(part.quickCount);
  });

  it("reports every failure with its seed, and says the same of a seed twice", () => {
    const part = {
      name: "thirteen",
      promise: "no seed is a multiple of 13",
      fullCount: 100,
      quickCount: 100,
      tryCase: (seed: number) => (seed % 13 === 0 ? `seed ${seed}` : undefined),
    };
    const result = tortured(part, seedsUpTo(200));
    expect(result.failureCount).toBe(15);
    expect(result.failures.length).toBe(10);
    expect(result.failures[0]).toEqual({ seed: 13, reason: "seed 13" });
    for (const { tryCase } of tortureParts) expect(tryCase(11)).toBe(tryCase(11));
  });
});
