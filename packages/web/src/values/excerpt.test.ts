/** What is shown of a long text, and what is said of the rest. */
import { expect, it } from "vitest";
import { excerptOf, sizeText } from "./excerpt.js";

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

it("is all of a text that is short", () => {
  expect(excerptOf(numbered(23))).toEqual({
    lines: 23,
    head: numbered(23),
    tail: "",
    omitted: "",
  });
});

it("is the head and the tail of many lines", () => {
  const { head, tail, omitted } = excerptOf(numbered(2_000));
  expect(head.split("\n").at(-1)).toBe("line 11");
  expect(tail.split("\n")[0]).toBe("line 1990");
  expect(omitted).toBe("1,978 lines");
});

it("is the head and the tail of one long line", () => {
  const { head, tail, omitted } = excerptOf("x".repeat(1_000_000));
  expect([head.length, tail.length, omitted]).toEqual([6_000, 6_000, "988,000 characters"]);
});

it("says how much there is", () => {
  expect(sizeText("x", 1)).toBe("1 line, 1 B");
  expect(sizeText("x".repeat(56_300), 1_204)).toBe("1,204 lines, 56 KB");
});
