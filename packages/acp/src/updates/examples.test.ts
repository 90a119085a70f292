/**
 * The partial updates that the protocol's page gives as examples: made by the builder, and valid as they are. The
 * builder was first described in Rust. No Rust compiler is part of this repository, so that description is not compiled:
 * `toolCallUpdateBuilder.test.ts` checks here what its methods promise.
 */
import { describe, expect, it } from "vitest";
import {
  contentOnly,
  type SessionUpdate,
  statusOnly,
  ToolCallUpdateBuilder,
  updateProblems,
} from "../index.js";
import { protocolSchema } from "../testing/schemas.js";

const toolCallId = "call_001";

const examples: readonly (readonly [string, string, () => SessionUpdate])[] = [
  [
    "a status alone",
    `{
  "sessionUpdate": "tool_call_update",
  "toolCallId": "call_001",
  "status": "in_progress"
}`,
    () => statusOnly(toolCallId, "in_progress"),
  ],
  [
    "content alone",
    `{
  "sessionUpdate": "tool_call_update",
  "toolCallId": "call_001",
  "content": [{"type": "content", "content": {"type": "text", "text": "Progress: 50%"}}]
}`,
    () =>
      contentOnly(toolCallId, [
        { type: "content", content: { type: "text", text: "Progress: 50%" } },
      ]),
  ],
  [
    "several fields",
    `{
  "sessionUpdate": "tool_call_update", 
  "toolCallId": "call_001",
  "status": "completed",
  "content": [{"type": "content", "content": {"type": "text", "text": "Analysis complete"}}]
}`,
    () =>
      new ToolCallUpdateBuilder(toolCallId)
        .status("completed")
        .addText("Analysis complete")
        .build(),
  ],
];

describe.each(examples)("the example of %s", (_, text, make) => {
  it("is what the builder makes, with no other field", () => {
    expect(make()).toStrictEqual(JSON.parse(text));
  });

  it("is valid", () => {
    const update: SessionUpdate = JSON.parse(text);
    expect(updateProblems(update, 1)).toEqual([]);
    const params = { sessionId: "s", update };
    const line = JSON.stringify({ jsonrpc: "2.0", method: "session/update", params });
    expect(protocolSchema(1).lineProblemOf(line)).toBeUndefined();
  });
});
