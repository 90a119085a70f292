import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLineSplitter, type Line } from "./lines.js";

function linesOf(pieces: readonly string[], maxChars?: number): readonly Line[] {
  const splitter = createLineSplitter(maxChars);
  const lines = pieces.flatMap((piece) => splitter.push(piece));
  return [...lines, splitter.rest()];
}

/** The text in pieces of the given sizes, over and over. */
function cutInto(text: string, sizes: readonly number[]): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0, turn = 0; from < text.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1;
    pieces.push(text.slice(from, from + size));
    from += size;
  }
  return pieces;
}

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 6 });

describe("a line splitter", () => {
  it("ends lines at LF, CRLF and CR, and keeps what follows the last one", () => {
    expect(linesOf(["a\nb\r\nc\rd"])).toEqual(["a", "b", "c", "d"]);
    expect(linesOf(["\n\r\n\r"])).toEqual(["", "", "", ""]);
  });

  it("takes a CRLF that was cut in two for one line end", () => {
    expect(linesOf(["a\r", "\nb\n"])).toEqual(["a", "b", ""]);
    expect(linesOf(["a\r", "", "\nb\r", "c"])).toEqual(["a", "b", "c"]);
  });

  it("gives the same lines however the text is cut", () => {
    const text = fc.array(fc.constantFrom("a", "é", "😀", "\n", "\r", "\r\n"), { maxLength: 60 });
    fc.assert(
      fc.property(text, sizes, (parts, cuts) => {
        const whole = parts.join("");
        expect(linesOf(cutInto(whole, cuts))).toEqual(whole.split(/\r\n|\r|\n/));
      }),
    );
  });

  it("leaves out a line beyond its limit, says how it started, and continues behind it", () => {
    expect(linesOf(["ab", "cdefg", "h\nok\n", "123456\n"], 5)).toEqual([
      { head: "abcdefg" },
      "ok",
      { head: "123456" },
      "",
    ]);
  });

  it("holds no more of an endless line than its start", () => {
    const splitter = createLineSplitter(100);
    for (let turn = 0; turn < 1_000; turn += 1) splitter.push("x".repeat(1_000));
    expect(splitter.rest()).toBe("");
    expect(splitter.push("\n")).toEqual([{ head: "x".repeat(80) }]);
  });
});
