/** Where a run waits for someone, as its log says. */
import { describe, expect, it } from "vitest";
import { evolve } from "./evolve.js";
import type { Timed } from "./intents.js";
import * as story from "./projections/testing/intents.js";
import { initialState } from "./state.js";
import { createWaitFinder } from "./turns.js";

const { answered, began, called, closed, given, logOf, ok, opened, progressed, wondered } = story;

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

const handedOver: Timed = progressed("one", {
  type: "step",
  step: "delegated",
  data: { delegated_to: "client" },
});

describe("a run waits", () => {
  it("once its answer is closed and a call asks", () => {
    expect(waitsAfter(wondered("one"))).toEqual([]);
    const waits = waitsAfter(wondered("one"), closed("answer"));
    expect(waits).toEqual([{ ids: ["one", "ask one"], isLast: true }]);
  });

  it("for a client that executes a call", () => {
    const waits = waitsAfter(closed("answer"), began("one"), handedOver);
    expect(waits).toEqual([{ ids: ["one"], isLast: true }]);
  });

  it("only when no other call is running", () => {
    const asking = [closed("answer"), began("two"), wondered("one")];
    expect(waitsAfter(...asking)).toEqual([]);
    const waits = waitsAfter(...asking, ok("two", ""));
    expect(waits).toEqual([{ ids: ["one", "ask one"], isLast: true }]);
  });

  it("anew after an answer, for what is asked next", () => {
    const first = [closed("answer"), wondered("one"), answered("one", true), began("one")];
    expect(waitsAfter(...first, ok("one", ""), wondered("two"))).toEqual([
      { ids: ["one", "ask one"], isLast: false },
      { ids: ["two", "ask two"], isLast: true },
    ]);
  });
});
