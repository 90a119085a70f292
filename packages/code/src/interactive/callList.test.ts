import { createLife, lifeNamed } from "@callboard/testkit";
import { expect, it } from "vitest";
import { createCallList } from "./callList.js";

it("names the calls under way by what they do, and those in the background as such", () => {
  const { log } = createLife("two", "Two commands.", ({ model, tool }) => {
    model.begins();
    const build = model.calls("shell", { command: "make\u001b[2J" }, { kind: "execute" });
    model.calls("read_file", { path: "a.txt" }, { kind: "read" });
    tool.starts(build, { detached: true });
  });
  const list = createCallList();
  for (const event of log) list.push(event);
  expect(list.underWay.map(({ words }) => words)).toEqual([
    "Running make\\x1b[2J · in the background",
    "Reading a.txt",
  ]);
  const ended = createCallList();
  for (const event of lifeNamed("approval-amended")?.log ?? []) ended.push(event);
  expect(ended.underWay).toEqual([]);
});
