/** What is shown of a long text, and what is said of the rest. */
import { expect, it } from "vitest";
import { createLineCount, excerptOf, sizeText } from "./excerpt.js";

const excerptIn = (text: string) => excerptOf(text, createLineCount()(text));

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${index + 1}\n`).join("");

it("is all of a text that is short", () => {
  expect(excerptIn(numbered(23))).toEqual({
    lines: 23,
    head: numbered(23),
    tail: "",
    omitted: "",
  });
});

it("is the head and the tail of many lines", () => {
  const { head, tail, omitted } = excerptIn(numbered(2_000));
  expect(head.split("\n").at(-1)).toBe("line 11");
  expect(tail.split("\n")[0]).toBe("line 1990");
  expect(omitted).toBe("1,978 lines");
});

it("is the head and the tail of one long line", () => {
  const { head, tail, omitted } = excerptIn("x".repeat(1_000_000));
  expect([head.length, tail.length, omitted]).toEqual([6_000, 6_000, "988,000 characters"]);
});

it.each([0, 1, 22, 23, 24, 25, 400])(
  "is the same for %d lines with and without an end of the last",
  (count) => {
    const text = numbered(count);
    const { head, tail, ...sizes } = excerptIn(text);
    expect(excerptIn(text.slice(0, -1))).toEqual({
      ...{ ...sizes, tail },
      head: head === text ? head.slice(0, -1) : head,
    });
    const lines = text.split("\n").slice(0, -1);
    const cut = [...lines.slice(0, 11), ...lines.slice(-11)];
    expect(tail === "" ? head : `${head}\n${tail}\n`).toBe(
      count <= 23 ? text : cut.map((line) => `${line}\n`).join(""),
    );
  },
);

it("is cut by characters where the first or the last lines are too long to be shown", () => {
  const long = `${"x".repeat(20_000)}\n`;
  for (const text of [
    long + numbered(40),
    numbered(40) + long,
    numbered(20) + long + numbered(20),
  ]) {
    const { head, tail, lines } = excerptIn(text);
    expect(lines).toBe(41);
    expect(text.startsWith(head)).toBe(true);
    expect(text.slice(0, -1).endsWith(tail) || text.endsWith(tail)).toBe(true);
    expect(head.length + tail.length).toBeLessThanOrEqual(12_000);
  }
});

it("counts the lines of a text that grows by what is new", () => {
  const read: string[] = [];
  const count = createLineCount((piece) => {
    read.push(piece);
    return piece.split("\n").length - 1;
  });
  const texts = ["", "one", "one\ntw", "one\ntwo\n", "one\ntwo\n", "one\ntwo\nthree"];
  expect(texts.map(count)).toEqual([0, 1, 2, 2, 2, 3]);
  expect(read).toEqual(["one", "\ntw", "o\n", "three"]);
  // Another text, longer or shorter, is read from its start.
  expect(["1\n2\n3\n4\n5\n6\n7\n8", "x"].map(count)).toEqual([8, 1]);
  expect(read.slice(4)).toEqual(["1\n2\n3\n4\n5\n6\n7\n8", "x"]);
});

it("says how much there is", () => {
  expect(sizeText("x", 1)).toBe("1 line, 1 B");
  expect(sizeText("x".repeat(56_300), 1_204)).toBe("1,204 lines, 56 KB");
});
