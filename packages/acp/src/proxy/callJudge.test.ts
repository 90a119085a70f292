/** Whether a call that is said to have completed did. */
import { expect, it } from "vitest";
import { createCallJudge } from "./callJudge.js";

const completed = {
  ...{ sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed" },
  rawOutput: { exitCode: null },
};

it("believes a process that never exited, which may work in the background", () => {
  expect(createCallJudge().judged("s", completed, 1)).toBe(completed);
});

it("does not in a turn that was cancelled, until the next one", () => {
  const judge = createCallJudge();
  judge.cancelRequested("s");
  expect(judge.judged("s", completed, 1)).toEqual({ ...completed, status: "failed" });
  expect(judge.judged("s", completed, 2)).toEqual({ ...completed, status: "cancelled" });
  expect(judge.judged("other", completed, 1)).toBe(completed);
  judge.turnEnded("s");
  expect(judge.judged("s", completed, 1)).toBe(completed);
});
