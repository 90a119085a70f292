import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { plainText } from "../door/spans.js";
import { graphemesOf, graphemeWidth } from "../door/textWidth.js";
import { type EditorState, editorAfter, editorWith } from "./editor.js";
import { editorRows } from "./editorView.js";
import { appendHistory, historyAfter, historyOf, readHistory, withEntry } from "./history.js";
import type { Key, KeyName } from "./keys.js";
import { createTyping } from "./typing.js";

const press = (state: EditorState, ...names: readonly KeyName[]): EditorState =>
  names.reduce((at: EditorState, name) => editorAfter(at, { type: "key", name }) ?? at, state);
const typed = (state: EditorState, text: string): EditorState =>
  editorAfter(state, { type: "text", text } satisfies Key) ?? state;
const shown = ({ text, cursor }: EditorState): string =>
  `${text.slice(0, cursor)}|${text.slice(cursor)}`;

describe("the editor", () => {
  it.each([
    ["moves by characters as people see them", ["left", "backspace"], "a👩‍👩‍👧b", "a|b"],
    ["deletes what is behind the cursor", ["home", "delete"], "漢字", "|字"],
    ["moves by words", ["wordLeft", "wordLeft"], "one two three", "one |two three"],
    ["kills a word", ["killWord"], "one two", "one |"],
    ["kills to the start of the line", ["killToStart"], "a\nbc", "a\n|"],
    [
      "kills to the end of the line, then its end",
      ["home", "up", "killToEnd", "killToEnd"],
      "ab\ncd",
      "|cd",
    ],
    ["moves up and down by columns", ["up", "end", "down"], "long line\nab", "long line\nab|"],
    ["breaks lines", ["left", "newline"], "ab", "a\n|b"],
  ] as const)("%s", (_, names, text, expected) => {
    expect(shown(press(editorWith(text), ...names))).toBe(expected);
  });

  it("leaves the keys of the dialogue alone", () => {
    for (const name of ["enter", "escape", "interrupt", "up", "down"] as const) {
      expect(editorAfter(editorWith("one line"), { type: "key", name })).toBeUndefined();
    }
  });

  it("shows rows of a width with the cursor where it belongs, and only those around it", () => {
    const state = typed(editorWith(""), "abcdefgh漢字\nx");
    const { rows, cursor } = editorRows(state, 11, 10, "");
    expect(rows.map(plainText)).toEqual(["> abcdefgh", "  漢字", "  x"]);
    expect(cursor).toEqual({ row: 2, column: 3 });
    const few = editorRows(state, 11, 2, "");
    expect(few.rows.map(plainText)).toEqual(["  漢字", "  x"]);
    expect(few.cursor).toEqual({ row: 1, column: 3 });
  });

  it("shows what is hidden in a pasted text", () => {
    const { rows, cursor } = editorRows(editorWith("a\u001bb"), 40, 5, "");
    expect(rows.map(plainText)).toEqual(["> a\\x1bb"]);
    expect(cursor).toEqual({ row: 0, column: 8 });
  });
});

/** Every row of the text, laid out from its start. */
function allRows({ text, cursor }: EditorState, room: number) {
  const rows = [""];
  let width = 0;
  let place = { row: 0, column: 0 };
  let at = 0;
  for (const grapheme of graphemesOf(text)) {
    if (at === cursor) place = { row: rows.length - 1, column: width };
    at += grapheme.length;
    const step = grapheme === "\n" ? 0 : graphemeWidth(grapheme);
    if (grapheme === "\n" || width + step > room) {
      rows.push("");
      width = 0;
    }
    if (grapheme === "\n") continue;
    rows[rows.length - 1] += grapheme;
    width += step;
  }
  if (at === cursor) place = { row: rows.length - 1, column: width };
  return { rows, place };
}

describe("a long text", () => {
  it("shows the rows that laying out all of it would show", () => {
    const piece = fc.constantFrom("a", "bc ", "漢", "é", "\n", "\n\n", "abcdefghij");
    const text = fc.array(piece, { maxLength: 60 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, fc.nat(200), fc.integer({ min: 1, max: 6 }), (written, back, mostRows) => {
        let state = editorWith(written);
        for (let step = 0; step < back % (written.length + 1); step += 1) {
          state = press(state, "left");
        }
        const { rows, place } = allRows(state, 8);
        const first = Math.max(0, place.row - mostRows + 1);
        const shown = editorRows(state, 11, mostRows, "");
        const expected = rows.slice(first, first + mostRows);
        expect(shown.rows.map(plainText)).toEqual(
          expected.map((row, index) => (first + index === 0 ? "> " : "  ") + row),
        );
        expect(shown.cursor).toEqual({ row: place.row - first, column: place.column + 2 });
      }),
    );
  });

  it("costs at most 16 ms of the processor for each key, with 5,000 lines of any width in it", () => {
    const lines = Array.from({ length: 5_000 }, (_, index) =>
      `${index} 漢字 👩‍👩‍👧 mixed é width `.repeat(1 + (index % 7)),
    );
    let state = editorWith(lines.join("\n"));
    const keys: readonly KeyName[] = ["up", "left", "backspace", "killWord", "down", "end", "home"];
    const before = process.cpuUsage();
    for (const name of keys) {
      state = typed(press(state, name), "x");
      editorRows(state, 80, 10, "");
    }
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000 / (2 * keys.length)).toBeLessThan(16);
  });
});

describe("a big paste", () => {
  const big = Array.from({ length: 5_000 }, (_, index) => `line ${index}`).join("\n");
  const pasted = (...texts: readonly string[]) => {
    const typing = createTyping(historyOf([]));
    for (const text of texts) typing.take({ type: "paste", text }, 0);
    return typing;
  };

  it("is one label in the line, and is sent whole", () => {
    const typing = pasted(big, " and ", big);
    expect(typing.state.text).toBe("[pasted 5000 lines #1] and [pasted 5000 lines #2]");
    expect(typing.submit()).toBe(`${big} and ${big}`);
    expect(typing.state.text).toBe("");
  });

  it("is removed at once, and a long line is one as well", () => {
    const typing = pasted("short", "x".repeat(3_000));
    expect(typing.state.text).toBe("short[pasted 3000 characters #1]");
    typing.take({ type: "key", name: "backspace" }, 0);
    expect(typing.state.text).toBe("short");
  });

  it("comes back as a label where it was taken back, with what was written beside it", () => {
    const typing = pasted(big);
    typing.set(`${big}\n${typing.state.text}`);
    expect(typing.state.text).toBe("[pasted 5001 lines #2]");
    expect(typing.submit()).toBe(`${big}\n${big}`);
  });

  it("is not kept in the history", async () => {
    expect(withEntry(historyOf(["one"]), big).entries).toEqual(["one"]);
    const folder = await mkdtemp(join(tmpdir(), "callboard-history-"));
    const path = join(folder, "history.jsonl");
    const old = Array.from({ length: 2_500 }, (_, index) => JSON.stringify(`entry ${index}`));
    await writeFile(path, `${[JSON.stringify(big), ...old].join("\n")}\n`);
    await appendHistory(path, big);
    await appendHistory(path, "last");
    expect((await readHistory(path)).slice(-2)).toEqual(["entry 2499", "last"]);
    expect((await readFile(path, "utf8")).split("\n").length).toBe(1_001);
    await rm(folder, { recursive: true });
  });
});

describe("the history", () => {
  it("moves through what was sent, and comes back to what was being written", () => {
    const start = historyOf(["one", "two"]);
    const up = historyAfter(start, -1, "draft");
    expect(up?.text).toBe("two");
    const top = up && historyAfter(up.history, -1, up.text);
    expect(top?.text).toBe("one");
    expect(top && historyAfter(top.history, -1, "one")).toBeUndefined();
    const back = up && historyAfter(up.history, 1, up.text);
    expect(back?.text).toBe("draft");
  });

  it("keeps a repeated entry once", () => {
    expect(withEntry(historyOf(["one"]), "one").entries).toEqual(["one"]);
    expect(withEntry(historyOf(["one"]), "two").entries).toEqual(["one", "two"]);
  });
});
