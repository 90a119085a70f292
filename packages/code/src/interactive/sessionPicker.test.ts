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
  expect(sessionLines([session], { now: 52_000, columns }).map(plainText)).toEqual(rows);
});
