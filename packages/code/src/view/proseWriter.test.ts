import { searchCount } from "@callboard/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Line, plainText } from "../door/spans.js";
import { createProseWriter } from "./proseWriter.js";

function drawn(pieces: readonly string[], columns: number): readonly Line[] {
  const writer = createProseWriter("plain");
  const lines = pieces.flatMap((piece) => writer.push(piece, columns));
  return [...lines, ...writer.end(columns)];
}

const textOf = (text: string, columns = 40): readonly string[] =>
  drawn([text], columns).map(plainText);
const marked = (lines: readonly Line[]): string =>
  lines
    .map((line) =>
      line.map(({ text, style }) => (style === "plain" ? text : `<${style}:${text}>`)).join(""),
    )
    .join("\n");

describe("Markdown", () => {
  it("is drawn: headings, lists, quotes, rules, emphasis, code, links", () => {
    const text = [
      "# Title",
      "Some **bold words**, *slanted* and `code`.",
      "- one [link](https://a.example/x)",
      "  1. two",
      "- [x] done",
      "> said",
      "---",
      "```ts",
      "const **a** = 1;",
      "```",
    ].join("\n");
    expect(marked(drawn([text], 60))).toBe(
      [
        "<bold:Title>",
        "Some <bold:bold words>, <italic:slanted> and <accent:code>.",
        "• one link<dim: (https://a.example/x)>",
        "  1. two",
        "☑ done",
        "<dim:│ >said",
        `<dim:${"─".repeat(40)}>`,
        "<dim:```ts>",
        "<accent:const **a** = 1;>",
        "<dim:```>",
      ].join("\n"),
    );
  });

  it.each([
    "2 * 3 * 4 is 24",
    "src/**/*.ts and snake_case_name",
    "an unfinished `code and **bold",
    "[not a link] (really)",
    "a * b",
    "__init__.py", // closes inside of a word
  ])("leaves %j as it is", (text) => {
    expect(textOf(text)).toEqual([text]);
  });

  it("hangs the rows of a list under its words, and breaks no word that fits", () => {
    expect(textOf("- one two **three** four, five six", 16)).toEqual([
      "• one two three",
      "  four, five six",
    ]);
    expect(textOf("abcdefghijklmnopqrstuvwxyz", 10)).toEqual([
      "abcdefghij",
      "klmnopqrst",
      "uvwxyz",
    ]);
  });

  it("hands out no row in the middle of a link", () => {
    const before =
      "Some words that fill more than two rows, so that the first of them are handed out: ";
    const link = "[a link of many words that takes three rows](https://a.example/x)";
    const rows = drawn([before + link, " and the rest."], 24).map(plainText);
    expect(rows).toEqual([
      "Some words that fill",
      "more than two rows, so",
      "that the first of them",
      "are handed out: a link",
      "of many words that takes",
      "three rows",
      " (https://a.example/x)",
      "and the rest.",
    ]);
  });

  it("hands out no row in the middle of the address of a link", () => {
    const text = `${"x".repeat(90)}[word](longerwordthatisbroken)`;
    expect(
      marked(drawn([text], 8))
        .split("\n")
        .at(-1),
    ).toBe("<dim:)>");
    expect(marked(drawn([...text], 8))).toBe(marked(drawn([text], 8)));
  });

  it("looks the same in whatever pieces it comes, and loses no word", () => {
    const piece = fc.constantFrom(
      ...[
        "word ",
        "**",
        "*",
        "`",
        "_",
        "[",
        "](",
        ")",
        "\n",
        "- ",
        "# ",
        "> ",
        "```\n",
        "漢字",
        "a",
      ],
      ...["longerwordthatisbroken", ", ", "  ", "x".repeat(90), "and so on and on "],
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 80 }),
        fc.integer({ min: 8, max: 40 }),
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 }),
        (parts, columns, cuts) => {
          const text = parts.join("");
          const pieces: string[] = [];
          for (let at = 0, turn = 0; at < text.length; turn += 1) {
            const length = cuts[turn % cuts.length] ?? 1;
            pieces.push(text.slice(at, at + length));
            at += length;
          }
          const whole = marked(drawn([text], columns));
          expect(marked(drawn(pieces, columns))).toBe(whole);
          const letters = (shown: string): string => shown.replaceAll(/[^\p{L}]/gu, "");
          // A link whose words are its address is drawn once.
          if (/\[(.+)\]\(\1\)/.test(text)) return;
          expect(letters(drawn([text], columns).map(plainText).join(""))).toBe(letters(text));
        },
      ),
      { numRuns: searchCount(100_000) },
    );
  });

  it("knows what stands before a marker at the start of a row", () => {
    const text = `${"x".repeat(90)}_**_`;
    expect(marked(drawn([...text], 30))).toBe(marked(drawn([text], 30)));
    expect(drawn([text], 30).map(plainText).at(-1)).toBe("_**_");
  });

  it("has no piece without text where a marker ends a row", () => {
    const text = `# ${"x".repeat(90)}\`)\``;
    expect(marked(drawn([...text], 8))).toBe(marked(drawn([text], 8)));
    expect(
      marked(drawn([text], 8))
        .split("\n")
        .at(-1),
    ).toBe("<bold:xx><accent:)>");
  });

  it("hands out no row in the middle of a marker", () => {
    const text = `${"x".repeat(202)}**longerwordthatisbroken*`;
    expect(
      marked(drawn([text], 29))
        .split("\n")
        .slice(-2),
    ).toEqual([`${"x".repeat(28)}*`, "*longerwordthatisbroken*"]);
    expect(marked(drawn([...text], 29))).toBe(marked(drawn([text], 29)));
  });

  it("costs what a piece brings, however long the line is", () => {
    const writer = createProseWriter("plain");
    const before = process.cpuUsage();
    for (let piece = 0; piece < 20_000; piece += 1) {
      writer.push("some more words ", 80);
      expect(writer.tail(80).length).toBeLessThan(8);
    }
    const { user } = process.cpuUsage(before);
    // Reading the whole line again for each piece takes minutes.
    expect(user / 1_000).toBeLessThan(15_000);
  });
});
