/** Changes between two texts: true to both, and no larger than they must be. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { textDiff } from "./textDiff.js";

const text = fc
  .array(fc.constantFrom("a\n", "b\n", "c\n", "\n"), { maxLength: 12 })
  .map((lines) => lines.join(""));

it("gives both texts back, whatever they are", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pieces = textDiff(before, after);
      const side = (other: "added" | "removed"): string =>
        pieces.flatMap((piece) => (piece[other] ? [] : [piece.value])).join("");
      expect([side("added"), side("removed")]).toEqual([before, after]);
    }),
  );
});

it("keeps the lines between two changes", () => {
  expect(textDiff("a\nb\nc\nd\ne\n", "a\nB\nc\nD\ne\n")).toEqual([
    { value: "a\n" },
    { value: "b\n", removed: true },
    { value: "B\n", added: true },
    { value: "c\n" },
    { value: "d\n", removed: true },
    { value: "D\n", added: true },
    { value: "e\n" },
  ]);
});

it("is one block each way where nearly everything differs", () => {
  const many = (word: string): string =>
    Array.from({ length: 700 }, (_, index) => `${word} ${index}\n`).join("");
  expect(textDiff(many("old"), many("new"))).toEqual([
    { value: many("old"), removed: true },
    { value: many("new"), added: true },
  ]);
});
