/** How a conversation stands, from the stream and from what is stored. */
import { type ConversationView, createRunFold } from "@callboard/client";
import type { CallTrack } from "@callboard/run-log/projections";
import { lifeNamed } from "@callboard/testkit";
import { expect, it } from "vitest";
import { liveStatus, storedStatus } from "./status.js";

/** As it is after so many events; the questions that are open then are known. */
function statusAfter(name: string, isUpTo: (type: string) => boolean): unknown {
  const log = lifeNamed(name)?.log ?? [];
  const end = log.findIndex(({ type }) => isUpTo(type)) + 1;
  const fold = createRunFold(log[0]?.runId ?? "");
  for (const event of log.slice(0, end)) fold.push(event);
  const questions: readonly CallTrack[] = [...fold.calls.values()].filter((one) => one.approval);
  const { view } = fold;
  const isRunning = view.status === "open";
  const conversation: ConversationView = {
    ...{ conversationId: "c", runs: [view], isRunning, isLoaded: true },
  };
  return liveStatus(conversation, questions);
}

it("needs you while a question is open, runs until the end, and tells how it ended", () => {
  const until = (wanted: string) => (type: string) => type === wanted;
  expect(statusAfter("approval-allowed", until("call.approval.asked"))).toBe("waiting");
  expect(statusAfter("approval-allowed", until("call.approval.answered"))).toBe("running");
  expect(statusAfter("approval-allowed", until("run.closed"))).toBe("done");
  expect(statusAfter("abort-while-running", until("run.closed"))).toBe("stopped");
});

it("is what was stored where the stream tells nothing", () => {
  const view = { conversationId: "c", runs: [], isRunning: false, isLoaded: true };
  expect(liveStatus(view, [])).toBeUndefined();
  const runs = {
    ...{ count: 1, open: 0, failed: 0, last_error: null, model: null, tool_calls: 0 },
    ...{ total_tokens: 0, total_cost: null, duration_ms: 0 },
  };
  expect(storedStatus({})).toBe("empty");
  expect(storedStatus({ runs: { ...runs, last_status: "failed" } })).toBe("failed");
  expect(storedStatus({ runs: { ...runs, last_status: "completed" } })).toBe("done");
  expect(storedStatus({ runs: { ...runs, open: 1, last_status: "completed" } })).toBe("running");
});
