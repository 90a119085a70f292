/** Ages and days of a list. */
import { expect, it } from "vitest";
import { ageText, dayGroupOf } from "./ageText.js";

it.each([
  [0, "now"],
  [59_999, "now"],
  [60_000, "1 min"],
  [3_600_000, "1 h"],
  [90_000_000, "1 d"],
  [14 * 86_400_000, "2 wk"],
])("says that %d ms are %s", (ms, text) => {
  expect(ageText(ms)).toBe(text);
});

it("puts what happened into days by the clock where it is read", () => {
  const now = new Date(2026, 10, 16, 0, 30).getTime();
  const groups = [0, 40, 24 * 60, 25 * 60, 9 * 24 * 60].map((minutes) =>
    dayGroupOf(now - minutes * 60_000, now),
  );
  expect(groups).toEqual(["Today", "Yesterday", "Yesterday", "Last 7 days", "Older"]);
});
