/** Keeps the table of planted bugs in step with the code: each one can be planted, and its tests exist. */
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { rooms } from "./rooms.js";

describe.each(Object.entries(rooms))("the planted bugs of %s", (_, mutants) => {
  it("replace text that occurs exactly once, and name tests that exist", () => {
    const faults = mutants.flatMap(({ bug, file, find, replace, tests }) => {
      const places = readFileSync(file, "utf8").split(find).length - 1;
      return [
        ...(places === 1 ? [] : [`${bug}: the text occurs ${places} times in ${file}`]),
        ...(find === replace ? [`${bug}: it changes nothing`] : []),
        ...tests.filter((test) => !existsSync(test)).map((test) => `${bug}: no file ${test}`),
      ];
    });
    expect(faults).toEqual([]);
  });

  it("have different descriptions", () => {
    const bugs = mutants.map(({ bug }) => bug);
    expect(new Set(bugs).size).toBe(bugs.length);
  });
});
