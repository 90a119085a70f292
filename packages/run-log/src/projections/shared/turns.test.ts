/** Where a run waits for someone, as its log says. */
import { describe, expect, it } from "vitest";
import { evolve } from "../../log/evolve.js";
import type { Timed } from "../../log/intents.js";
import { initialState } from "../../log/state.js";
import * as story from "../testing/intents.js";
import { createUiTurnsProjection } from "../uiMessage/turns.js";
import { project } from "./projection.js";
import { createWaitFinder } from "./turns.js";

const { answered, began, called, closed, delegated, given, logOf, ok, opened, parked, wondered } =
  story;

/** The waits of a run whose model made two calls, after what happened then. */
function waitsAfter(...happened: readonly Timed[]) {
  const calls = ["one", "two"].flatMap((id) => [called(id, "answer"), given(id, "{}")]);
  const finder = createWaitFinder();
  let state = initialState;
  for (const event of logOf(opened("answer"), ...calls, ...happened)) {
    state = evolve(state, event);
    finder.push(event, state);
  }
  return finder.waits.map(({ ids, isLast }) => ({ ids: [...ids], isLast }));
}

describe("a run waits", () => {
  it("once it is parked, for everything that is asked", () => {
    const asking = [wondered("one"), closed("answer"), delegated("two")];
    expect(waitsAfter(...asking)).toEqual([]);
    const waits = waitsAfter(...asking, parked);
    expect(waits).toEqual([{ ids: ["one", "ask one", "two"], isLast: true }]);
  });

  it("again each time that it is parked, for what is asked then", () => {
    const first = [closed("answer"), wondered("one"), parked, answered("one", true)];
    expect(waitsAfter(...first)).toEqual([{ ids: ["one", "ask one"], isLast: false }]);
    const second = [began("one"), ok("one", ""), wondered("two"), parked];
    expect(waitsAfter(...first, ...second)).toEqual([
      { ids: ["one", "ask one"], isLast: false },
      { ids: ["two", "ask two"], isLast: true },
    ]);
  });
});

describe("a turn", () => {
  it("ends each time that the run is parked, and at nothing else", () => {
    const asking = [wondered("one"), closed("answer"), wondered("two")];
    const turns = [...asking, parked, answered("one", true), parked];
    const calls = ["one", "two"].flatMap((id) => [called(id, "answer"), given(id, "{}")]);
    const told = project(createUiTurnsProjection(), logOf(opened("answer"), ...calls, ...turns));
    const ends = told.flatMap(({ type }) => (type === "start" || type === "finish" ? [type] : []));
    expect(ends).toEqual(["start", "finish", "start", "finish"]);
  });
});
