import { describe, expect, test } from "vitest";
import { recoverTruncated } from "./recoverTruncated.js";

describe("closes what was open and drops only what is undecided", () => {
  test.each([
    ['{"a":"text', '{"a":"text"}'],
    ['{"a":"text\\', '{"a":"text"}'],
    ['{"a":"text\\u00e', '{"a":"text"}'],
    ['{"a":"text\\ud83d', '{"a":"text"}'],
    ['{"a":"text\\ud83d\\ude', '{"a":"text"}'],
    ['{"a":"text\\ud83d\\', '{"a":"text"}'],
    ['{"a":"text\ud83d', '{"a":"text"}'],
    ['{"a":"text😀', '{"a":"text😀"}'],
    ['{"a":"back\\\\', '{"a":"back\\\\"}'],
    [`["${"x".repeat(99)}\\u00`, `["${"x".repeat(99)}"]`],
    [`["${"x".repeat(99)}\\ud83d`, `["${"x".repeat(99)}"]`],
    ['{"a":[1,2,', '{"a":[1,2]}'],
    ['{"a":[1,2 , ', '{"a":[1,2]}'],
    ['{"a":[1,2', '{"a":[1]}'],
    ["[12", "[]"],
    ["[-", "[]"],
    ['{"a":1, "b', '{"a":1}'],
    ['{"a":1, "b"', '{"a":1}'],
    ['{"a":1, "b" :', '{"a":1}'],
    ['{"a":1 ,"b":2', '{"a":1}'],
    ['{"a":{"b', '{"a":{}}'],
    ['{"a":{', '{"a":{}}'],
    ['{"a":{}', '{"a":{}}'],
    ['{"a":tr', '{"a":true}'],
    ["[null,f", "[null,false]"],
    ["n", "null"],
    ['"', '""'],
    ['{"a":",', '{"a":","}'],
    ['{"a":"x" ', '{"a":"x" }'],
    ["[ ", "[ ]"],
  ])("%j becomes %j", (text, recovered) => {
    expect(recoverTruncated(text)).toStrictEqual({
      recovered: true,
      text: recovered,
      value: JSON.parse(recovered),
    });
  });
});

test.each(['{"a":[1,2]}', " [1] \n", "12", '"a"', "null", "-0.5e+10"])("%j comes back", (text) => {
  expect(recoverTruncated(text)).toStrictEqual({ recovered: true, text, value: JSON.parse(text) });
});

test.each([
  ["", "Text ended before a value", 0],
  ["  ", "Text ended before a value", 2],
  ["-", "Text ended inside a number", 1],
  ["1.", "Text ended inside a number", 2],
  ['{"a":1,}', 'Expected a key, found "}"', 7],
  ["{'a'", 'Expected a key, found "\'"', 1],
  ["[1]]", 'Expected nothing after the value, found "]"', 3],
  ['["a\n', 'Expected no control character in a string, found "\\n"', 3],
  ["[".repeat(10_001), "Nested deeper than 10000 levels", 10_000],
])("%j is refused", (text, message, position) => {
  expect(recoverTruncated(text)).toStrictEqual({
    recovered: false,
    problem: { message, position },
  });
});

test("every cut of a text is recovered to a part of it", () => {
  const text =
    ' {"a":[1,-2.5e3,"x\\n\\u00e9😀\\ud83d\\ude00",{"b":null,"c":true}], "d" : {"e":""}} ';
  for (let cut = 2; cut <= text.length; cut++) {
    const result = recoverTruncated(text.slice(0, cut));
    if (!result.recovered) throw new Error(`not recovered at ${cut}`);
    expect(result.value).toStrictEqual(JSON.parse(result.text));
    const closers = /[\]}"\w]*$/.exec(result.text)?.[0] ?? "";
    const kept = result.text.length - closers.length;
    expect(text.startsWith(result.text.slice(0, kept))).toBe(true);
  }
});
