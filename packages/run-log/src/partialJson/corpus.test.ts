/** Texts with known answers: `JSON.parse` is the judge of each, at every prefix and chunk size. */
import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { createJsonReader, type JsonResult } from "./jsonReader.js";

const accepted = [
  "[]",
  "{}",
  " [ ] ",
  "\t{\r\n}\n",
  "null",
  "true",
  "false",
  '""',
  "0",
  "-0",
  "-1",
  "12.50",
  "1e1",
  "1E+2",
  "1e-2",
  "0e0",
  "0.0",
  "123123e100000",
  "-1e-400",
  "9007199254740993",
  '"\\u0000"',
  '"\\"\\\\\\/\\b\\f\\n\\r\\t"',
  '"\u007f\u0080\u2028\u2029\ufeff\uffff"',
  '"\\uD834\\uDd1e"',
  '"\\uDADA"',
  '"\\ud83d\\ud83d\\ude00"',
  '"\\ude00\\ud83d"',
  '"\ud83d\\u0041\ude00"',
  '"\\\\u0041"',
  '"a/*b*/c"',
  '[[],{},"",0,null,[[[1]]]]',
  '{"a":{"b":{"c":[]}},"a2":[{"x":1},{"y":2}]}',
  '{"a":1,"a":2}',
  '{"a":{"b":1},"b":0,"a":["c"]}',
  '{"":0,"\\u0061":1,"a":2}',
  '{"1":1,"0":0,"b":2}',
  '{"__proto__":1,"constructor":2,"toString":3}',
  "[1,\n 2 ,\t3\r]",
  '["é","日本","😀","e\u0301"]',
  `{"path":"a.ts","content":"${'const x = \\"\\\\n\\";\\n'.repeat(12)}"}`,
  `["${"long enough to be read in one go, 😀 ".repeat(5)}\\u00e9","${"\\\\".repeat(60)}"]`,
];

const rejected = [
  "",
  " ",
  "[",
  "]",
  "{",
  "}",
  "[1",
  "[1,",
  "[,1]",
  "[1,,2]",
  "[1,]",
  "[1 2]",
  "[1:2]",
  '["a" "b"]',
  '["a":1]',
  "[1}",
  "{]",
  '{"a":1',
  '{"a":1]',
  '{"a"}',
  '{"a":}',
  '{"a" 1}',
  '{"a":1,}',
  '{,"a":1}',
  '{"a":1,,"b":2}',
  '{"a":1 "b":2}',
  "{a:1}",
  "{'a':1}",
  "{1:1}",
  "{null:1}",
  "{[]:1}",
  "[1]x",
  "[1]]",
  "{}{}",
  "nul",
  "nulll",
  "truE",
  "True",
  "fals",
  "NaN",
  "Infinity",
  "-Infinity",
  "undefined",
  "+1",
  "-",
  "--1",
  "-a",
  "01",
  "-01",
  "00",
  "1.",
  ".1",
  "1.e1",
  "1e",
  "1e+",
  "1e1.5",
  "1eE2",
  "0x1",
  "1_000",
  "１",
  "[1.]",
  "[-]",
  "[2.e3]",
  "[0e]",
  "[1+2]",
  '"',
  '"a',
  '"\\"',
  '"\\',
  '"\\x00"',
  '"\\u"',
  '"\\u00"',
  '"\\u00G0"',
  '"\\u 041"',
  '"\\U0041"',
  '"\\\'"',
  '"\\\u0000"',
  '"\t"',
  '"\n"',
  '"\u0000"',
  '"\u001f"',
  `"${"x".repeat(200)}\n"`,
  `"${"\\n".repeat(100)}\\q"`,
  "'a'",
  "\ufeff{}",
  "\u00a0[]",
  "\u2028[]",
  "[]\u000c",
  "[]\u0000",
  "/**/[]",
  "[]//",
  "<a>",
  "\\u0022a\\u0022",
];

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

function readInChunks(text: string, size: number): JsonResult {
  const reader = createJsonReader();
  for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size));
  return reader.end();
}

function chunkSizes(text: string): number[] {
  return Array.from({ length: text.length }, (_, index) => index + 1);
}

describe("accepted, with the value JSON.parse gives, at every chunk size", () => {
  test.each(accepted)("%j", (text) => {
    const value: unknown = JSON.parse(text);
    for (const size of chunkSizes(text)) {
      const result = readInChunks(text, size);
      expect(result.status).toBe("complete");
      expect(isDeepStrictEqual(result.value, value)).toBe(true);
      expect(JSON.stringify(result.value)).toBe(JSON.stringify(value));
    }
  });
});

describe("rejected at every chunk size, with one problem", () => {
  test.each(rejected)("%j", (text) => {
    expect(parsed(text)).toBeUndefined();
    const whole = readInChunks(text, text.length + 1);
    expect(whole.status).not.toBe("complete");
    for (const size of chunkSizes(text)) {
      expect(readInChunks(text, size)).toStrictEqual(whole);
    }
  });
});

test("every prefix of every text: complete exactly when JSON.parse accepts it", () => {
  for (const text of [...accepted, ...rejected]) {
    for (let length = 0; length <= text.length; length++) {
      const prefix = text.slice(0, length);
      const result = readInChunks(prefix, 7);
      const expected = parsed(prefix);
      expect(result.status === "complete", prefix).toBe(expected !== undefined);
      if (expected !== undefined) {
        expect(isDeepStrictEqual(result.value, expected.value), prefix).toBe(true);
      }
    }
  }
});
