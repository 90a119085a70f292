import { expect, it } from "vitest";
import { costText, countText, shortCount } from "./countText.js";

it("counts one thing and several", () => {
  expect([countText(1, "call"), countText(2_000, "call")]).toEqual(["1 call", "2,000 calls"]);
});

it.each([
  [0, "0"],
  [9_999, "9,999"],
  [10_000, "10k"],
  [263_339, "263k"],
  [999_499, "999k"],
  [999_500, "1.0M"],
  [1_250_000, "1.3M"],
])("writes %d short", (count, text) => {
  expect(shortCount(count)).toBe(text);
});

it.each([
  [0, "$0.00"],
  [0.0042, "$0.0042"],
  [0.0999, "$0.0999"],
  [0.1, "$0.10"],
  [12.345, "$12.35"],
])("writes a cost of %d", (usd, text) => {
  expect(costText(usd)).toBe(text);
});
