/** Text as base64 beside Node's own. */
import fc from "fast-check";
import { expect, it } from "vitest";
import { base64Of } from "./base64.js";

const expected = (text: string): string => Buffer.from(text, "utf8").toString("base64");

it("is what Node makes of the same text, half characters included", () => {
  for (const text of ["", "a", "ab", "abc", "é", "€", "😀", "\ud800x", "x\udfff", "\udc00\ud800"]) {
    expect(base64Of(text), JSON.stringify(text)).toBe(expected(text));
  }
});

it("is the same for any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      expect(base64Of(text)).toBe(expected(text));
    }),
  );
});
