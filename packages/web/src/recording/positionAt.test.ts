/** Replay by time: lines come when they came, and long silences are cut short. */
import { expect, it } from "vitest";
import { positionAt } from "./positionAt.js";

const lines = [0, 10, 10, 5_000].map((at) => ({ at, type: "line", text: "" }));

it.each([
  [0, 1],
  [9, 1],
  [10, 3],
  [1_000, 3],
  [2_009, 3],
  [2_010, 4],
  [99_999, 4],
])("after %d ms %d lines have been told", (elapsed, position) => {
  expect(positionAt(lines, { position: 0, now: 0 }, elapsed, 2_000).position).toBe(position);
});

it("comes to the same place in small steps, once a silence has been cut", () => {
  let place = { position: 0, now: 0 };
  let spent = 0;
  while (place.position < lines.length && spent < 10_000) {
    place = positionAt(lines, place, 10, 2_000);
    spent += 10;
  }
  expect(place.position).toBe(lines.length);
  expect(spent).toBeLessThanOrEqual(5_010);
});
