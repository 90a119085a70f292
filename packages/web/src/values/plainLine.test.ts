import { expect, it } from "vitest";
import { plainLine } from "./plainLine.js";

it.each([
  ["All **41 tests** pass.", "All 41 tests pass."],
  ["# Done\n\n- `one`\n- two", "Done one two"],
  ["| file | change |\n|---|---:|\n| a_b.ts | x * y |", "file change a_b.ts x * y"],
  ["> see [the notes](https://example.com/a) and ![a chart](b.png)", "see the notes and a chart"],
  ["1. first\n2. ~~second~~", "first second"],
  ["5 - 3 is 2, a|b is either", "5 - 3 is 2, a b is either"],
  ["  \n ", ""],
])("reads %j as words", (markdown, words) => {
  expect(plainLine(markdown)).toBe(words);
});
