/** Calls of two runs, each beside its counterpart. */
import { expect, it } from "vitest";
import { alignedCalls } from "./aligned.js";

const call = (word: string) => {
  const [toolName = "", inputText = ""] = word.split(":");
  return { toolName, inputText };
};
const aligned = (left: readonly string[], right: readonly string[]): readonly string[] =>
  alignedCalls(left.map(call), right.map(call)).map((pair) =>
    [pair.left, pair.right]
      .map((one) => (one ? `${one.toolName}:${one.inputText}` : "–"))
      .join(" "),
  );

it("puts the same call beside the same call, and leaves gaps where there is none", () => {
  expect(aligned(["read:a", "shell:ls"], ["read:a", "edit:a", "shell:ls"])).toEqual([
    "read:a read:a",
    "– edit:a",
    "shell:ls shell:ls",
  ]);
});

it("prefers the same arguments to the same tool, and the same tool to none", () => {
  expect(aligned(["read:a", "read:b"], ["read:b", "shell:pwd"])).toEqual([
    "read:a –",
    "read:b read:b",
    "– shell:pwd",
  ]);
  expect(aligned(["read:a"], ["read:b"])).toEqual(["read:a read:b"]);
  expect(aligned([], ["read:b"])).toEqual(["– read:b"]);
});
