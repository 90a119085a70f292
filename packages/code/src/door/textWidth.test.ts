import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutText, widthOf, wrapText } from "./textWidth.js";

describe("the width of a text", () => {
  it.each([
    ["plain", 5],
    ["漢字", 4],
    ["한글", 4],
    ["ｆｕｌｌ", 8],
    ["é", 1],
    ["e\u0301", 1],
    ["👍", 2],
    ["👩‍👩‍👧", 2],
    ["🇨🇭", 2],
    ["✓ ✗", 3],
    ["❤️", 2],
    ["", 0],
  ])("%j takes %i columns", (text, width) => {
    expect(widthOf(text)).toBe(width);
  });

  it("is never exceeded by what is cut or broken to fit", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "b", " ", "漢", "👍", "e\u0301"),
      maxLength: 60,
    });
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 20 }), (given, columns) => {
        expect(widthOf(cutText(given, columns))).toBeLessThanOrEqual(columns);
        const rows = wrapText(given, columns);
        for (const row of rows) expect(widthOf(row)).toBeLessThanOrEqual(columns);
        expect(rows.join("").replaceAll(" ", "")).toBe(given.replaceAll(" ", ""));
      }),
    );
  });

  it("breaks between words", () => {
    expect(wrapText("the quick brown fox", 10)).toEqual(["the quick", "brown fox"]);
    expect(wrapText("abcdefghijkl", 5)).toEqual(["abcde", "fghij", "kl"]);
    expect(wrapText("  indented text", 12)).toEqual(["  indented", "text"]);
  });
});
