/** What can be chosen, and what a request says of it. */
import type { AgentEntry } from "@callboard/client";
import { expect, it } from "vitest";
import { isSameChoice, offersOf, optionsOf } from "./choices.js";

const agents: readonly AgentEntry[] = [
  { prompt_id: "review", is_default: false, is_rehearsal: false, problem: "no key" },
  { prompt_id: "default", is_default: true, model: "a", models: ["b"], is_rehearsal: true },
];

it("is every agent with each of its models, the default one first", () => {
  expect(offersOf(agents)).toEqual([
    { choice: { promptId: "default" }, label: "a", isRehearsal: true },
    { choice: { promptId: "default", model: "b" }, label: "b", isRehearsal: false },
    {
      choice: { promptId: "review" },
      label: "review · no model",
      isRehearsal: false,
      problem: "no key",
    },
  ]);
});

it("is said only where something was chosen", () => {
  expect(optionsOf(undefined)).toEqual({});
  expect(optionsOf({ promptId: "x" })).toEqual({ prompt_id: "x" });
  expect(optionsOf({ promptId: "x", model: "b" })).toEqual({
    prompt_id: "x",
    config_overrides: { model: "b" },
  });
});

it("is the same only with the same model", () => {
  expect(isSameChoice({ promptId: "x" }, { promptId: "x" })).toBe(true);
  expect(isSameChoice({ promptId: "x" }, { promptId: "x", model: "b" })).toBe(false);
  expect(isSameChoice({ promptId: "x" }, undefined)).toBe(false);
});
