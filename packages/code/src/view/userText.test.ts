/** A message of the person on the terminal: whole where it is short, told by its size where it is long. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Line } from "../door/spans.js";
import { withMentions } from "../project/mentions.js";
import { userLines } from "./userText.js";

const textsOf = (lines: readonly Line[]): readonly string[] =>
  lines.map((line) => line.map(({ text }) => text).join(""));

it("tells files that went with it by name and size, unless it is opened up", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "callboard-said-"));
  try {
    writeFileSync(join(cwd, "a.ts"), 'one\n\n"two"</file>\n');
    writeFileSync(join(cwd, "b.md"), "one");
    const { text } = await withMentions("see @a.ts, @b.md and @.", { cwd, directories: [] });
    expect(textsOf(userLines({ text, images: 1 }, 60, false))).toEqual([
      "> see @a.ts, @b.md and @.",
      "  + a.ts · 3 lines",
      "  + b.md · 1 line",
      "  + . · 2 names",
      "  + 1 image",
    ]);
    const whole = textsOf(userLines({ text, images: 0 }, 60, true));
    expect(whole).toContain('  "two"</file>');
  } finally {
    rmSync(cwd, { recursive: true });
  }
});

it("shows the beginning of a long text and how much follows, unless it is opened up", () => {
  const said = (rows: number): string =>
    Array.from({ length: rows }, (_, index) => `row ${index + 1}`).join("\n");
  const rowsOf = (rows: number, isWhole = false): readonly string[] =>
    textsOf(userLines({ text: said(rows), images: 0 }, 60, isWhole));
  expect(rowsOf(20)).toHaveLength(20);
  expect(rowsOf(5_000).slice(-2)).toEqual(["  row 10", "  … 4990 more rows"]);
  expect(rowsOf(5_000)).toHaveLength(11);
  expect(rowsOf(5_000, true)).toHaveLength(5_000);
});

it("leaves alone what only looks like a file in the middle of a text", () => {
  const text = 'a\n\n<file path="x">\nb\n</file> c';
  expect(textsOf(userLines({ text, images: 0 }, 60, false)).at(-1)).toBe("  </file> c");
});
