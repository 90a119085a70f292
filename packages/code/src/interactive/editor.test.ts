import { describe, expect, it } from "vitest";
import { plainText } from "../door/spans.js";
import { type EditorState, editorAfter, editorWith } from "./editor.js";
import { editorRows } from "./editorView.js";
import { historyAfter, historyOf, withEntry } from "./history.js";
import type { Key, KeyName } from "./keys.js";

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
