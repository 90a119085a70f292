import { expect, it } from "vitest";
import { budgetOf, effortOf } from "./reasoningOptions.js";

it.each([
  [{}, undefined],
  [{ effort: "max" }, "max"],
  [{ effort: "low", thinkingBudget: 20_000 }, "low"],
  [{ thinkingBudget: 0 }, "none"],
  [{ thinkingBudget: 1023 }, "none"],
  [{ thinkingBudget: 1024 }, "minimal"],
  [{ thinkingBudget: 8192 }, "medium"],
  [{ thinkingBudget: 100_000 }, "high"],
] as const)("the level of %j is %s", (settings, effort) => {
  expect(effortOf(settings)).toBe(effort);
});

it("a budget counts more than the one of its level", () => {
  expect(budgetOf({ effort: "high", thinkingBudget: 10 })).toBe(10);
  expect(budgetOf({ effort: "low" })).toBe(2048);
});
