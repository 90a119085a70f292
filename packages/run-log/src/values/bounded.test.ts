/** What is cut keeps its head and tail, stays whole in its characters, and says what is missing. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundedJson, boundedText } from "./bounded.js";

const note = /\n… (\d+) characters left out …\n/;

describe("boundedText", () => {
  it("leaves a text alone that fits", () => {
    expect(boundedText("", 0)).toBe("");
    expect(boundedText("abcd", 4)).toBe("abcd");
  });

  it("keeps head and tail of a text that does not", () => {
    expect(boundedText("abcdefghij", 4)).toBe("ab\n… 6 characters left out …\nij");
    expect(boundedText("abcdefghij", 5)).toBe("abc\n… 5 characters left out …\nij");
    expect(boundedText("abcdefghij", 0)).toBe("\n… 10 characters left out …\n");
  });

  it("cuts no pair of surrogates", () => {
    expect(boundedText("a👋bcdef👋g", 4)).toBe("a\n… 7 characters left out …\n👋g");
  });

  it("counts exactly, keeps at most what was allowed and one character more, and stays whole", async () => {
    const text = fc
      .array(fc.constantFrom("a", "é", "👋", "𝒜", "\n"), { maxLength: 40 })
      .map((characters) => characters.join(""));
    await fc.assert(
      fc.property(text, fc.nat(30), (whole, maxChars) => {
        const bounded = boundedText(whole, maxChars);
        expect(bounded).not.toMatch(/\p{Surrogate}/u);
        if (whole.length <= maxChars) {
          expect(bounded).toBe(whole);
          return;
        }
        const [head = "", omitted = "", tail = ""] = bounded.split(note);
        expect(whole.startsWith(head)).toBe(true);
        expect(whole.endsWith(tail)).toBe(true);
        expect(head.length + Number(omitted) + tail.length).toBe(whole.length);
        expect(head.length + tail.length).toBeLessThanOrEqual(maxChars + 1);
      }),
      { numRuns: 2_000 },
    );
  });

  it("never says that nothing was omitted", () => {
    expect(boundedText("a👋", 2)).not.toMatch(/… 0 characters left out …/);
  });
});

describe("boundedJson", () => {
  it("gives a small value back as it is", () => {
    const value = { text: "a", list: [1, true, null, { deep: "b" }], empty: {}, none: [] };
    expect(boundedJson(value, 2_000)).toStrictEqual(value);
  });

  it("cuts a long text and keeps what stands beside it", () => {
    expect(boundedJson({ error_type: "exit", output: "x".repeat(100_000) }, 200)).toStrictEqual({
      error_type: "exit",
      output: `${"x".repeat(43)}\n… 99914 characters left out …\n${"x".repeat(43)}`,
    });
  });

  it("leaves out what is too deep", () => {
    const nested = (depth: number): object => (depth === 0 ? {} : { in: nested(depth - 1) });
    expect(JSON.stringify(boundedJson(JSON.parse(JSON.stringify(nested(100))), 10_000))).toBe(
      `${'{"in":'.repeat(17)}"… left out …"${"}".repeat(17)}`,
    );
  });

  it.each([
    ["many texts", Array.from({ length: 10_000 }, (_, index) => `text ${index}`)],
    ["many numbers", Array.from({ length: 10_000 }, (_, index) => index)],
    ["many keys", Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`key ${i}`, i]))],
    ["many empty lists", Array.from({ length: 10_000 }, () => [])],
    ["a long text", { text: "x".repeat(100_000) }],
    ["a long key", { ["k".repeat(100_000)]: 1 }],
  ])("keeps %s to about the size that it may have", (_, value) => {
    expect(JSON.stringify(boundedJson(value, 1_000)).length).toBeLessThanOrEqual(2_000);
  });
});
