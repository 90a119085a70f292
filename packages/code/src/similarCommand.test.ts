import { describe, expect, it } from "vitest";
import { similarCommand } from "./similarCommand.js";

const names = ["sessions", "replay", "check", "acp", "db"];

describe("a mistyped command", () => {
  it.each([
    ["session", "sessions"],
    ["sesions", "sessions"],
    ["chekc", "check"],
    ["acpp", "acp"],
  ])("%s is taken for %s", (word, name) => {
    expect(similarCommand(word, names)).toBe(name);
  });

  it.each(["hello", "sessions", "explain", "What", "fix the build", "-p", "do"])(
    "%s is none",
    (word) => {
      expect(similarCommand(word, names)).toBeUndefined();
    },
  );
});
