import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createVirtualTerminal } from "../testing/virtualTerminal.js";
import { createPaint } from "./paint.js";
import { createScreen } from "./screen.js";
import { type Line, lineOf, plainText } from "./spans.js";
import { cutText } from "./textWidth.js";

const texts = fc.string({ unit: fc.constantFrom("a", "b", " ", "漢", "👍"), maxLength: 30 });
const lines = fc.array(
  texts.map((text): Line => lineOf(text, "dim")),
  { maxLength: 5 },
);
const frames = fc.array(
  fc.record({ printed: lines, rows: lines, cursorRow: fc.nat(4), column: fc.nat(5) }),
  { minLength: 1, maxLength: 12 },
);

function shownAs(line: Line, columns: number): readonly string[] {
  const rows: string[] = [];
  const terminal = createVirtualTerminal(columns, 1_000);
  terminal.write(plainText(line));
  rows.push(...terminal.lines());
  return rows;
}

describe("the screen", () => {
  it("shows what was printed, once and in order, and below it the live rows", () => {
    fc.assert(
      fc.property(frames, fc.boolean(), (given, hasColour) => {
        const columns = 24;
        const terminal = createVirtualTerminal(columns, 12);
        const screen = createScreen(terminal, () => createPaint(hasColour));
        const printed: string[] = [];
        for (const { printed: more, rows, cursorRow, column } of given) {
          const cursor = { row: Math.min(cursorRow, Math.max(0, rows.length - 1)), column };
          screen.draw(more, { rows, cursor });
          for (const line of more) printed.push(...shownAs(line, columns));
          const live = rows.map((row) => cutText(plainText(row), columns - 1).trimEnd());
          const all = [...printed, ...(live.length === 0 ? [""] : live)];
          expect(terminal.lines()).toEqual(all);
          expect(terminal.cursor.column).toBe(column);
        }
        screen.clear();
        expect(terminal.lines()).toEqual([...printed, ""]);
      }),
    );
  });

  it("rewrites only the rows that changed", () => {
    const written: string[] = [];
    const terminal = { columns: 40, rows: 10, write: (text: string) => written.push(text) };
    const screen = createScreen(terminal, () => createPaint(false));
    screen.draw([], { rows: ["one", "two", "three"].map((text) => lineOf(text)) });
    screen.draw([], { rows: ["one", "TWO", "three"].map((text) => lineOf(text)) });
    expect(written.at(-1)).not.toContain("one");
    expect(written.at(-1)).toContain("TWO");
    expect(written.at(-1)).not.toContain("three");
  });
});
