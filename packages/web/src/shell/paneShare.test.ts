/** Where the line between two panes can stand. */
import { expect, it } from "vitest";
import { boundedShare, steppedShare } from "./paneShare.js";

it("leaves both panes room, and puts one away at the edge", () => {
  const wanted = [-5, 12, 13, 30.4, 74, 87, 88, 120];
  expect(wanted.map(boundedShare)).toEqual([0, 0, 25, 30, 74, 75, 100, 100]);
});

it("steps from one edge to the other and back", () => {
  expect([steppedShare(27, -2), steppedShare(25, -2), steppedShare(0, -2)]).toEqual([25, 0, 0]);
  expect([steppedShare(0, 2), steppedShare(74, 2), steppedShare(75, 2)]).toEqual([25, 100, 100]);
  expect([steppedShare(100, 2), steppedShare(100, -2)]).toEqual([100, 75]);
});
