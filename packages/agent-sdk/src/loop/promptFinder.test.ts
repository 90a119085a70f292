/** What the model was told before an answer, read back from a log. */

import { runId } from "@callboard/run-log";
import { withoutUndefined } from "@callboard/run-log/values";
import { lifeNamed } from "@callboard/testkit";
import { expect, it } from "vitest";
import { createPromptFinder } from "./promptFinder.js";

const log = lifeNamed("read-file")?.log ?? [];

function foundIn(turn?: number) {
  const finder = createPromptFinder({
    runId: log[0]?.runId ?? "",
    ...withoutUndefined({ turn }),
  });
  for (const event of log) finder.push(event);
  return { turns: finder.turns, found: finder.found };
}

const asked = { role: "user", parts: [{ type: "text", text: "What does src/app.ts do?" }] };

it("is the question before the first answer, and the calls with their results before the next", () => {
  expect(foundIn(1)).toEqual({ turns: 2, found: [asked] });
  const { found } = foundIn(2);
  expect(found?.map(({ role, parts }) => [role, parts.map(({ type }) => type)])).toEqual([
    ["user", ["text"]],
    ["assistant", ["text", "call"]],
    ["tool", ["result"]],
  ]);
  expect(found?.[1]?.parts[1]).toEqual({
    type: "call",
    callId: "call_a1_2",
    toolName: "Read",
    input: { file_path: "src/app.ts" },
  });
  expect(foundIn().found).toEqual(found);
});

it("is nothing for an answer that the run does not have", () => {
  expect(foundIn(3).found).toBeUndefined();
});

it("holds what earlier runs of the conversation said, and is the question where no answer came", () => {
  const finder = createPromptFinder({ runId: "run_second" });
  for (const event of log) finder.push(event);
  const second = log.slice(0, 5).map((event) => ({ ...event, runId: runId("run_second") }));
  for (const event of second) finder.push(event);
  expect(finder.turns).toBe(0);
  expect(finder.found?.map(({ role }) => role)).toEqual([
    ...["user", "assistant", "tool", "assistant", "user"],
  ]);
});
