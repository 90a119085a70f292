import {
  conversationId,
  createRecorder,
  messageId,
  partId,
  type RunEvent,
  runId,
} from "@callboard/run-log";
import { expect, it } from "vitest";
import { sessionTitleOf } from "./sessionTitle.js";

function saying(text: string, { isClosed = true } = {}): readonly RunEvent[] {
  const recorder = createRecorder(() => 1);
  const asked = messageId("asked");
  const intents = [
    { type: "startRun", runId: runId("r"), conversationId: conversationId("c"), model: "m" },
    { type: "openMessage", messageId: asked, role: "user" },
    { type: "appendText", messageId: asked, partId: partId("p"), text },
    ...(isClosed ? [{ type: "closeMessage", messageId: asked } as const] : []),
  ] as const;
  return intents.flatMap((intent) => {
    const decision = recorder.propose(intent);
    return decision.status === "accepted" ? decision.events : [];
  });
}

it.each([
  ["Fix the build", "Fix the build"],
  ["  Fix\n\tthe   build \n", "Fix the build"],
  ["🎭".repeat(80), "🎭".repeat(80)],
  ["🎭".repeat(81), `${"🎭".repeat(79)}…`],
  [`${"a".repeat(78)} ${"b".repeat(900)}`, `${"a".repeat(78)}…`],
  ["", ""],
])("%j is called %j", (text, title) => {
  expect(sessionTitleOf(saying(text))).toBe(title);
});

it("takes what was heard so far of a text that is not closed", () => {
  expect(sessionTitleOf(saying("Fix the", { isClosed: false }))).toBe("Fix the");
  expect(sessionTitleOf([])).toBe("");
});
