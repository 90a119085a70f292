import { describe, expect, it } from "vitest";
import { resultsOf } from "./toolResult.js";

const unnamed = { callId: null, name: null, isError: false };

describe("the results in an older message of role tool", () => {
  it.each([
    [
      "one result with its text",
      [{ type: "tool_result", call_id: "a", name: "f", content: "done" }],
      [
        {
          callId: "a",
          name: "f",
          output: "done",
          outputType: "text",
          isError: false,
          rest: { type: "tool_result", call_id: "a", name: "f" },
        },
      ],
    ],
    [
      "several results in one message, one of them failed",
      [
        { type: "tool_result", tool_use_id: "a", output: '{"n":1}' },
        { type: "tool_result", tool_use_id: "b", content: "no such file", is_error: true },
      ],
      [
        {
          callId: "a",
          name: null,
          output: '{"n":1}',
          outputType: "json",
          isError: false,
          rest: { type: "tool_result", tool_use_id: "a" },
        },
        {
          callId: "b",
          name: null,
          output: "no such file",
          outputType: "text",
          isError: true,
          rest: { type: "tool_result", tool_use_id: "b", is_error: true },
        },
      ],
    ],
    [
      "texts that belong together",
      [
        {
          tool_call_id: "a",
          content: [
            { type: "text", text: "one " },
            { type: "text", text: "two" },
          ],
        },
      ],
      [
        {
          callId: "a",
          name: null,
          output: "one two",
          outputType: "text",
          isError: false,
          rest: {
            tool_call_id: "a",
            content: [
              { type: "text", text: "one " },
              { type: "text", text: "two" },
            ],
          },
        },
      ],
    ],
    [
      "an output that is no text",
      [{ id: "a", result: { rows: [1, 2] } }],
      [
        {
          callId: "a",
          name: null,
          output: '{"rows":[1,2]}',
          outputType: "json",
          isError: false,
          rest: { id: "a", result: { rows: [1, 2] } },
        },
      ],
    ],
    [
      "an error in its own field",
      { call_id: "a", error: "boom" },
      [
        {
          callId: "a",
          name: null,
          output: "boom",
          outputType: "text",
          isError: true,
          rest: { call_id: "a" },
        },
      ],
    ],
    [
      "a plain text",
      "all is well",
      [
        {
          ...unnamed,
          output: "all is well",
          outputType: "text",
          rest: [{ type: "text", text: "all is well" }],
        },
      ],
    ],
    [
      "the JSON of a list in a text",
      '[{"call_id":"a","content":"x"}]',
      [
        {
          callId: "a",
          name: null,
          output: "x",
          outputType: "text",
          isError: false,
          rest: { call_id: "a" },
        },
      ],
    ],
    [
      "an object that names no call",
      { headlines: ["one"] },
      [
        {
          ...unnamed,
          output: '{"headlines":["one"]}',
          outputType: "json",
          rest: [{ headlines: ["one"] }],
        },
      ],
    ],
    [
      "a result beside other parts",
      [{ call_id: "a", content: "x" }, { type: "image", url: "u" }, 7],
      [
        {
          callId: "a",
          name: null,
          output: "x",
          outputType: "text",
          isError: false,
          rest: { call_id: "a" },
        },
        {
          ...unnamed,
          output: '[{"type":"image","url":"u"},7]',
          outputType: "json",
          rest: [{ type: "image", url: "u" }, 7],
        },
      ],
    ],
    ["nothing", [], []],
    ["null", null, []],
    ["a number", 42, [{ ...unnamed, output: "42", outputType: "json", rest: [42] }]],
  ])("%s", (_what, content, results) => {
    expect(resultsOf(content)).toEqual(results);
  });
});
