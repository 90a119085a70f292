import { expect, it } from "vitest";
import { replacedIn } from "./replacedRuns.js";

it.each([
  [["a", "b", "c"], []],
  [["a", "b", "c>b"], ["b"]],
  [
    ["a", "b", "c", "d>b"],
    ["b", "c"],
  ],
  [
    ["a", "b", "c>b", "d>c", "e"],
    ["b", "c"],
  ],
  // A run that is not loaded is not drawn.
  [["b", "c>a"], []],
])("of %j a later run replaces %j", (runs, replaced) => {
  const views = runs.map((run) => {
    const [runId = "", replaces] = run.split(">");
    return replaces === undefined ? { runId } : { runId, replaces };
  });
  expect(replacedIn(views)).toEqual(replaced);
});
