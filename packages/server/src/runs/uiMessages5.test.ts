import { expect, it } from "vitest";
import { uiMessages5Of } from "./uiMessages5.js";

const call = {
  type: "dynamic-tool",
  toolName: "shell",
  toolCallId: "c1",
  input: { command: "ls" },
};
const descriptor = { title: "ls" };
const approval = { id: "a1", descriptor };

it.each([
  [
    "a question",
    { ...call, state: "approval-requested", approval },
    [
      { ...call, state: "input-available" },
      {
        type: "data-approval-asked",
        data: { approvalId: "a1", toolCallId: "c1", approvalDescriptor: descriptor },
      },
    ],
  ],
  [
    "an answer",
    { ...call, state: "approval-responded", approval: { ...approval, approved: true } },
    [{ ...call, state: "input-available" }],
  ],
  [
    "a denial",
    { ...call, state: "output-denied", approval: { ...approval, approved: false } },
    [{ ...call, state: "output-error", errorText: "The call was denied." }],
  ],
  [
    "a result that was approved",
    { ...call, state: "output-available", output: "x", approval: { ...approval, approved: true } },
    [{ ...call, state: "output-available", output: "x" }],
  ],
  ["a text", { type: "text", text: "hi" }, [{ type: "text", text: "hi" }]],
])("%s has a form that ai 5 knows", (_, part, parts) => {
  const message = { id: "m", role: "assistant", parts: [part] } as const;
  expect(uiMessages5Of([message])).toEqual([{ ...message, parts }]);
});
