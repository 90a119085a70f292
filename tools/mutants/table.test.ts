/** Keeps the table of planted bugs in step with the code: each one can be planted, and its tests exist. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { describe, expect, it } from "vitest";
import { rooms } from "./rooms.js";
import { reasons } from "./survivors.js";

describe.each(Object.entries(rooms))("the planted bugs of %s", (_, mutants) => {
  it("replace text that occurs exactly once, and name tests that exist", () => {
    const faults = mutants.flatMap(({ bug, file, find, replace, tests }) => {
      const text = readFileSync(file, "utf8");
      const places = text.split(find).length - 1;
      // What cannot be parsed fails every test, whether or not one would notice the bug.
      const { errors } = parseSync(
        file,
        text.replace(find, () => replace),
      );
      return [
        ...(places === 1 ? [] : [`${bug}: the text occurs ${places} times in ${file}`]),
        ...(find === replace ? [`${bug}: it changes nothing`] : []),
        ...(/\.tsx?$/.test(file) && errors.length > 0 ? [`${bug}: ${errors[0]?.message}`] : []),
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

it("every table belongs to a room", () => {
  const folder = "tools/mutants";
  const texts = readdirSync(folder).map((name) => ({
    name,
    text: readFileSync(`${folder}/${name}`, "utf8"),
  }));
  const isImported = (name: string): boolean =>
    texts.some(({ text }) => text.includes(`from "./${name.replace(".ts", ".js")}"`));
  const tables = texts.filter(({ text }) => / readonly Mutant\[\] = \[/.test(text));
  expect(tables.length).toBeGreaterThan(8);
  expect(tables.map(({ name }) => name).filter((name) => !isImported(name))).toEqual([]);
});

it("every explained survivor is a planted bug", () => {
  const planted = new Set(
    Object.values(rooms).flatMap((mutants) => mutants.map(({ file, bug }) => `${file}: ${bug}`)),
  );
  // The generated ones are drawn by chance; their descriptions start with the name of an operator.
  const isGenerated = /: (negated|swapped|removed|changed) [a-z]+ `/;
  expect(Object.keys(reasons).filter((key) => !planted.has(key) && !isGenerated.test(key))).toEqual(
    [],
  );
});
