import { expect, it } from "vitest";
import { lineOf, plainText } from "../door/spans.js";
import { noticeRows } from "./noticeRows.js";

const rowsOf = (text: string, columns: number): readonly string[] =>
  noticeRows(lineOf(text), columns).map(plainText);

it("breaks between words, and the rows of a table where its words start", () => {
  expect(rowsOf("! nothing was undone: the file no longer exists", 30)).toEqual([
    "! nothing was undone: the file",
    "  no longer exists",
  ]);
  expect(rowsOf("  /resume   sessions of this folder, or go on with one", 40)).toEqual([
    "  /resume   sessions of this folder, or",
    "            go on with one",
  ]);
});

it("leaves the words room where the screen is narrow", () => {
  expect(rowsOf("  /resume         sessions of this folder", 20)).toEqual([
    "  /resume",
    "    sessions of this",
    "    folder",
  ]);
});
