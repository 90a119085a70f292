/** Ages and days of a list. */
import { expect, it } from "vitest";
import { ageText, dayGroupOf, listTime } from "./ageText.js";

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

it("tells the time of day in a list, the age of what is new and of what is old", () => {
  const now = new Date(2026, 10, 16, 15, 30).getTime();
  const at = (day: number, hour: number, minute: number): number =>
    new Date(2026, 10, day, hour, minute).getTime();
  const moments = [at(16, 15, 20), at(16, 9, 5), at(15, 14, 3), at(12, 15, 30)];
  expect(moments.map((moment) => listTime(moment, now))).toEqual([
    "10 min",
    "09:05",
    "14:03",
    "4 d",
  ]);
});
