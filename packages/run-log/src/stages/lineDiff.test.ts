/** The pieces of a diff hold both texts whole: nothing lost, nothing invented. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { lineDiff } from "./lineDiff.js";
import type { DiffPiece } from "./messages.js";

const oldOf = (pieces: readonly DiffPiece[]): string =>
  pieces
    .filter((piece) => !piece.added)
    .map((piece) => piece.value)
    .join("");
const newOf = (pieces: readonly DiffPiece[]): string =>
  pieces
    .filter((piece) => !piece.removed)
    .map((piece) => piece.value)
    .join("");

const text = fc
  .array(fc.constantFrom("a", "b", "a\n", "b\n", "\n", "\r\n", "👋\n", "\u2028"), { maxLength: 12 })
  .map((pieces) => pieces.join(""));

describe("lineDiff", () => {
  it("joins to the old and to the new text", async () => {
    await fc.assert(
      fc.property(text, text, (before, after) => {
        const pieces = lineDiff(before, after);
        expect(oldOf(pieces)).toBe(before);
        expect(newOf(pieces)).toBe(after);
      }),
      { numRuns: 2_000 },
    );
  });

  it("has at most one change, between what both share, in pieces of whole lines", async () => {
    await fc.assert(
      fc.property(text, text, (before, after) => {
        const marks = lineDiff(before, after).map((piece) =>
          piece.removed ? "-" : piece.added ? "+" : "=",
        );
        expect(marks.join("")).toMatch(/^=?-?\+?=?$/);
      }),
    );
  });

  it.each<[string, string, string, readonly DiffPiece[]]>([
    ["nothing", "", "", []],
    ["no change", "a\nb\n", "a\nb\n", [{ value: "a\nb\n" }]],
    ["a new file", "", "a\n", [{ value: "a\n", added: true }]],
    ["a removed file", "a\n", "", [{ value: "a\n", removed: true }]],
    [
      "a line in the middle",
      "a\nb\nc\n",
      "a\nB\nc\n",
      [
        { value: "a\n" },
        { value: "b\n", removed: true },
        { value: "B\n", added: true },
        { value: "c\n" },
      ],
    ],
    [
      "an inserted line",
      "a\nc\n",
      "a\nb\nc\n",
      [{ value: "a\n" }, { value: "b\n", added: true }, { value: "c\n" }],
    ],
    [
      "a repeated line",
      "a\na\n",
      "a\na\na\n",
      [{ value: "a\na\n" }, { value: "a\n", added: true }],
    ],
    [
      "a line end that was missing",
      "a",
      "a\n",
      [
        { value: "a", removed: true },
        { value: "a\n", added: true },
      ],
    ],
  ])("shows %s", (_, before, after, pieces) => {
    expect(lineDiff(before, after)).toStrictEqual(pieces);
  });

  it("reads long texts once", () => {
    const lines = Array.from({ length: 200_000 }, (_, line) => `line ${line}\n`);
    const before = lines.join("");
    const pieces = lineDiff(before, lines.with(100_000, "changed\n").join(""));
    expect(pieces.map((piece) => piece.value.length)).toEqual([1_088_890, 12, 8, 1_199_988]);
  });
});
