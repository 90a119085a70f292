import { expect, it } from "vitest";
import { createRepeatCheck } from "./repeats.js";

it("a message counts once, in any order, and an old one not at all", () => {
  const isFirst = createRepeatCheck();
  expect([2, 1, 3, 2, 1].map((number) => isFirst("a", number))).toEqual([
    ...[true, true, true],
    ...[false, false],
  ]);
  expect(isFirst("b", 2)).toBe(true);
  for (let number = 4; number <= 5_000; number += 1) expect(isFirst("a", number)).toBe(true);
  expect([1, 3_976, 3_977, 5_000, 5_001].map((number) => isFirst("a", number))).toEqual([
    ...[false, false, false, false],
    true,
  ]);
  // One that is late, but not by more than the window.
  expect(isFirst("a", 5_003)).toBe(true);
  expect([5_002, 5_002].map((number) => isFirst("a", number))).toEqual([true, false]);
});
