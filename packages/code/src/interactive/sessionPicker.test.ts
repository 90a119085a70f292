import { expect, it } from "vitest";
import { plainText } from "../door/spans.js";
import { sessionLines } from "./sessionPicker.js";

const session = {
  sessionId: "52ab836d-0000-4000-8000-000000000000",
  title: "Why does the build fail, and can you fix it?",
  createdAt: 0,
  updatedAt: 0,
  runs: 1,
};

it.each([
  [19, ["  1  Why does the …", "     52ab836d 52 s…"]],
  [39, ["  1  Why does the build fail, and can …", "     52ab836d 52 s ago"]],
  [79, ["  1  52ab836d  Why does the build fail, and can you fix it?  52 s ago"]],
])("a session in %d columns breaks no word and wraps nowhere", (columns, rows) => {
  expect(sessionLines([session], { now: 52_000, columns, mostRows: 20 }).map(plainText)).toEqual(
    rows,
  );
});

it("shows as many as there are rows for, and how many are left", () => {
  const many = Array.from({ length: 9 }, () => ({ ...session }));
  const rowsIn = (columns: number, mostRows: number) =>
    sessionLines(many, { now: 52_000, columns, mostRows }).map(plainText);
  expect(rowsIn(19, 5)).toHaveLength(5);
  expect(rowsIn(19, 5).at(-1)).toBe("     … 7 more");
  expect(rowsIn(79, 5)).toHaveLength(5);
  expect(rowsIn(79, 5).at(-1)).toBe("     … 5 more: search for them");
  expect(rowsIn(79, 10)).toHaveLength(9);
  expect(rowsIn(19, 0)).toHaveLength(3);
});

it("numbers those of a search as in the whole list", () => {
  const [first, second, third] = [{ ...session }, { ...session }, { ...session }];
  const all = [first, second, third];
  const size = { now: 52_000, columns: 79, mostRows: 9 };
  const rows = sessionLines([second, third], size, (one) => all.indexOf(one) + 1).map(plainText);
  expect(rows.map((row) => row.slice(0, 5))).toEqual(["  2  ", "  3  "]);
});
