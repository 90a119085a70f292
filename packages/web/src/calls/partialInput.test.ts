import { createJsonReader } from "@callboard/run-log/partial-json";
import { expect, it } from "vitest";
import { createPartialInput } from "./partialInput.js";

it("reads only what is new, and begins anew for another call and for less than it has read", () => {
  const pushed: unknown[] = [];
  let readers = 0;
  const read = createPartialInput(() => {
    readers += 1;
    const reader = createJsonReader();
    const push = reader.push.bind(reader);
    reader.push = (text) => {
      pushed.push(text);
      return push(text);
    };
    return reader;
  });
  // A list of ended calls creates none.
  expect(read({ callId: "over", inputText: "{}", input: {} })).toEqual({});
  expect(readers).toBe(0);
  const inputOf = (callId: string, inputText: string) => read({ callId, inputText });
  expect(inputOf("one", '{"path":')).toEqual({});
  expect(inputOf("one", '{"path":"a')).toEqual({ path: "a" });
  expect(inputOf("one", '{"path":"a')).toEqual({ path: "a" });
  expect(pushed).toEqual(['{"path":', '"a']);
  expect(inputOf("one", '{"p')).toEqual({});
  expect(inputOf("two", '{"q":"b')).toEqual({ q: "b" });
  expect(pushed.slice(2)).toEqual(['{"p', '{"q":"b']);
  expect(read({ callId: "two", inputText: '{"q":1', input: { q: 2 } })).toEqual({ q: 2 });
});
