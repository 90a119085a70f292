import { expect, it } from "vitest";
import { titleOf } from "./titleOf.js";

it("is the title, else the agent, else neither, and when it began", () => {
  const began = { created_at: new Date(2_026, 10, 16, 14, 3).toISOString() };
  expect(titleOf({ ...began, title: "Tests" })).toBe("Tests");
  expect(titleOf({ ...began, title: null })).toBe("Conversation of 16 Nov, 14:03");
  const runs = { agent: "claude-code" };
  expect(titleOf({ ...began, title: "", runs })).toBe("claude-code of 16 Nov, 14:03");
});
