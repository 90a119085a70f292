import { searchCount } from "@callboard/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { escapeClasses, forbidden } from "../testing/escapeClasses.js";
import { jsonLineOf } from "./jsonLine.js";
import { cleanText, createTextCleaner, exactText, paintableText } from "./terminalText.js";

describe("foreign text", () => {
  it("is known in 26 dangerous classes", () => {
    expect(escapeClasses.length).toBe(26);
  });

  it.each(escapeClasses)("is harmless: %s", (_, text) => {
    const around = `before ${text}\nafter`;
    for (const shown of [cleanText(around), exactText(around), paintableText(around)]) {
      expect(shown).not.toMatch(forbidden);
      expect(shown.startsWith("before ")).toBe(true);
      expect(shown.endsWith("after")).toBe(true);
    }
    const line = jsonLineOf({ text: around });
    expect(line).toMatch(/^[^\p{Cc}\p{Cs}\p{Cf}\u2028\u2029]*$/u);
    expect(JSON.parse(line)).toEqual({ text: around });
  });

  it("keeps words and drops what only a terminal would read", () => {
    expect(cleanText("\u001b[31mred\u001b[0m and \u001b]8;;u\u0007link\u001b]8;;\u0007")).toBe(
      "red and link",
    );
    expect(cleanText("\u009b31mred\u009b0m and \u009d8;;u\u009clink")).toBe("red and link");
    expect(cleanText("10%\r20%\r\ndone\r")).toBe("10%\n20%\ndone\n");
    expect(cleanText("a\u202eb\u200fc")).toBe("a<U+202E>bc");
    expect(cleanText("👩‍👩‍👧 Ünïcödé 漢字 \u0631\u200c\u0646")).toBe(
      "👩‍👩‍👧 Ünïcödé 漢字 \u0631\u200c\u0646",
    );
  });

  it("hides no more than a line behind a string that is never closed", () => {
    expect(cleanText("a\u001b]0;no end\nb")).toBe("a\nb");
  });

  it("is shown whole where somebody has to judge it", () => {
    expect(exactText("ls\u001b]0; rm -rf /\u0007\n\u202e")).toBe(
      "ls\\x1b]0; rm -rf /\\x07\\n<U+202E>",
    );
  });
});

const nasty = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...escapeClasses.map(([, text]) => text)) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 12 }) },
  {
    weight: 3,
    arbitrary: fc.string({
      unit: fc.constantFrom(
        "\u001b",
        "[",
        "]",
        "P",
        "\\",
        "m",
        "0",
        ";",
        "\r",
        "\n",
        "\ud83d",
        "\ude00",
        "\u009b",
        "x",
      ),
      maxLength: 16,
    }),
  },
);
const texts = fc.array(nasty, { maxLength: 6 }).map((pieces) => pieces.join(""));

function pieces(text: string, cuts: readonly number[]): readonly string[] {
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
  return [0, ...at].map((from, index) => text.slice(from, at[index] ?? text.length));
}

describe("any text, split anywhere", () => {
  it("comes out the same in pieces as at once, harmless, and is not changed again", () => {
    fc.assert(
      fc.property(texts, fc.array(fc.nat(), { maxLength: 6 }), (text, cuts) => {
        const whole = cleanText(text);
        const cleaner = createTextCleaner();
        const joined =
          pieces(text, cuts)
            .map((piece) => cleaner.push(piece))
            .join("") + cleaner.end();
        expect(joined).toBe(whole);
        expect(whole).not.toMatch(forbidden);
        expect(cleanText(whole)).toBe(whole);
        expect(exactText(text)).not.toMatch(/[\t\n]/);
        expect(exactText(text)).not.toMatch(forbidden);
        expect(JSON.parse(jsonLineOf(text))).toBe(text);
      }),
      { numRuns: searchCount(5_000) },
    );
  });
});
