/** Tools of other agents, by what their names usually mean. */
import { expect, it } from "vitest";
import { verbOf } from "../calls/callWords.js";
import { knownKindOf } from "./toolKinds.js";

it.each([
  ["Bash", "execute", "Ran"],
  ["run_shell_command", "execute", "Ran"],
  ["Read", "read", "Read"],
  ["apply_patch", "edit", "Edited"],
  ["Grep", "search", "Searched"],
  ["WebFetch", "fetch", "Fetched"],
  ["constructor", undefined, "Used Constructor"],
])("%s is of the kind %s", (toolName, kind, verb) => {
  expect(knownKindOf(toolName)).toBe(kind);
  expect(verbOf({ toolName, kind: knownKindOf(toolName) }, "done")).toBe(verb);
});
