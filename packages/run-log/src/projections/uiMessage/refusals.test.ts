/** A call on the AI SDK's stream that waits for a yes, is refused or fails. */
import { describe, expect, it } from "vitest";
import { stories } from "../testing/stories.js";
import {
  cutInput,
  delta,
  failure,
  opening,
  output,
  partial,
  streamed,
} from "../testing/uiMessageExpected.js";
import { chunksOf, ofCalls, partsOf } from "../testing/uiMessageReader.js";

describe("an approval", () => {
  const request = {
    type: "tool-approval-request",
    toolCallId: "a",
    approvalId: "ask a",
    approvalDescriptor: {
      options: [{ optionId: "once", name: "Allow", kind: "allow_once" }],
      reason: "it writes",
    },
  };
  const answer = (approved: boolean, reason: object = {}): object => ({
    type: "data-approval",
    id: "ask a",
    data: { toolCallId: "a", approvalId: "ask a", approved, answeredBy: "user", ...reason },
  });

  it("that is given moves the call on", async () => {
    expect(ofCalls(stories.approvalAllowed)).toEqual([
      ...streamed,
      request,
      answer(true),
      partial(""),
      output("x", 1),
    ]);
    const [part] = (await partsOf(stories.approvalAllowed)) ?? [];
    expect(part).toEqual(["a", "output-available", { p: 1 }, "x"]);
    const asking = stories.approvalAllowed.slice(0, -5);
    expect(await partsOf(asking)).toEqual([["a", "approval-requested", { p: 1 }, undefined]]);
  });

  it("that a running call asks for keeps its output so far", () => {
    expect(ofCalls(stories.approvalWhileRunning).slice(5)).toEqual([
      partial("half"),
      request,
      answer(true),
      partial("half"),
      output("half whole", 3),
    ]);
  });

  it("that is refused denies the call", async () => {
    expect(ofCalls(stories.approvalDenied)).toEqual([
      ...streamed,
      request,
      answer(false, { reason: "not today" }),
      { type: "tool-output-denied", toolCallId: "a" },
    ]);
    const [part] = (await partsOf(stories.approvalDenied)) ?? [];
    expect(part).toEqual(["a", "output-denied", { p: 1 }, undefined]);
  });

  it("that nobody asked for makes a denial an error", () => {
    expect(ofCalls(stories.deniedByRule)).toEqual([
      ...streamed,
      failure("a rule says no", { outcome: "denied", ranMs: 0, errorType: "denied" }),
    ]);
  });
});

describe("a call that fails", () => {
  const stopped = "stopped by the user";
  const cancelled = { outcome: "cancelled", errorType: "cancelled" };
  it.each([
    [
      "badJson",
      [
        opening(),
        delta("a", '{"p":'),
        cutInput('{"p":', "cut short"),
        failure("not JSON", { outcome: "error", ranMs: 0, errorType: "bad_arguments" }),
      ],
      ["a", "output-error", '{"p":', "not JSON"],
    ],
    [
      "unknownTool",
      [
        ...streamed,
        failure("no tool Read", { outcome: "error", ranMs: 0, errorType: "unknown_tool" }),
      ],
      ["a", "output-error", { p: 1 }, "no tool Read"],
    ],
    [
      "timeout",
      [
        ...streamed,
        {
          type: "data-call-output",
          data: { toolCallId: "a", offset: 0, delta: "half" },
          transient: true,
        },
        partial("half"),
        failure("too slow", {
          outcome: "timeout",
          ranMs: 2,
          errorType: "timeout",
          partialOutput: "half",
        }),
      ],
      ["a", "output-error", { p: 1 }, "too slow"],
    ],
    [
      "cancelledInArguments",
      [
        opening(),
        delta("a", '{"p":'),
        cutInput('{"p":', stopped),
        failure(stopped, { ...cancelled, ranMs: 0 }),
      ],
      ["a", "output-error", '{"p":', stopped],
    ],
    [
      "cancelledWhileRunning",
      [...streamed, failure(stopped, { ...cancelled, ranMs: 1 })],
      ["a", "output-error", { p: 1 }, stopped],
    ],
    [
      "interrupted",
      [
        ...streamed,
        failure("crashed", { outcome: "interrupted", ranMs: 1, errorType: "interrupted" }),
      ],
      ["a", "output-error", { p: 1 }, "crashed"],
    ],
  ] as const)("%s", async (name, chunks, part) => {
    expect(ofCalls(stories[name])).toEqual(chunks);
    expect(await partsOf(stories[name])).toEqual([part]);
  });

  it("is shown in a step of its own when the user ran it", async () => {
    expect(chunksOf(stories.userCommand).map(({ type }) => type)).toEqual([
      "start",
      "start-step",
      "tool-input-start",
      "tool-input-available",
      "tool-output-error",
      "message-metadata",
      "finish-step",
      "finish",
    ]);
    expect(await partsOf(stories.userCommand)).toEqual([["a", "output-error", {}, "exit code 1"]]);
  });
});
