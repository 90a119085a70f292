import { isDeepStrictEqual } from "node:util";
import { describe, expect, test } from "vitest";
import { createJsonReader } from "./jsonReader.js";

/** The live value after each chunk, copied so that later pushes cannot change what was seen. */
function valuesAfter(...chunks: (string | Uint8Array)[]): unknown[] {
  const reader = createJsonReader();
  return chunks.map((chunk) => {
    reader.push(chunk);
    const value = structuredClone(reader.value);
    expect(reader.snapshot()).toStrictEqual(value);
    return value;
  });
}

function readAll(text: string, size = text.length): ReturnType<typeof createJsonReader> {
  const reader = createJsonReader();
  for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size));
  return reader;
}

describe("what is visible when", () => {
  test("strings grow; a key appears with the first sign of its value", () => {
    expect(
      valuesAfter("{", '"pa', 'th"', ":", '"', "a", 'b"', ',"n"', ":1", "2", "}"),
    ).toStrictEqual([
      {},
      {},
      {},
      {},
      { path: "" },
      { path: "a" },
      { path: "ab" },
      { path: "ab" },
      { path: "ab" },
      { path: "ab" },
      { path: "ab", n: 12 },
    ]);
  });

  test("numbers and keywords are held back until they end", () => {
    expect(valuesAfter("[1", "2", ",t", "ru", "e", ",-", "0", "]")).toStrictEqual([
      [],
      [],
      [12],
      [12],
      [12, true],
      [12, true],
      [12, true],
      [12, true, -0],
    ]);
  });

  test("an escape is held back until it is whole", () => {
    expect(valuesAfter('"a', "\\", "n", "\\u", "00", "e9", "\\u004", '1"')).toStrictEqual([
      "a",
      "a",
      "a\n",
      "a\n",
      "a\n",
      "a\né",
      "a\né",
      "a\néA",
    ]);
  });

  test("a high surrogate waits for what follows, raw or escaped", () => {
    expect(valuesAfter('"', "\ud83d", "\ude00")).toStrictEqual(["", "", "😀"]);
    expect(valuesAfter('"', "\\ud83d", "\\ude", "00")).toStrictEqual(["", "", "", "😀"]);
    expect(valuesAfter('"', "\ud83d", "\\ude00")).toStrictEqual(["", "", "😀"]);
    expect(valuesAfter('"', "\\ud83d", "\ude00")).toStrictEqual(["", "", "😀"]);
    expect(valuesAfter('"', "\ud83d", "x")).toStrictEqual(["", "", "\ud83dx"]);
    expect(valuesAfter('"', "\ud83d", '"')).toStrictEqual(["", "", "\ud83d"]);
    expect(valuesAfter('"', "\ud83d", "\\")).toStrictEqual(["", "", ""]);
    expect(valuesAfter('"', "a\ud83d\\", "ude00")).toStrictEqual(["", "a", "a😀"]);
    expect(valuesAfter('"', "a\ud83d\\", "n")).toStrictEqual(["", "a", "a\ud83d\n"]);
    expect(valuesAfter('"', "\\\\\ud83d\\ude00")).toStrictEqual(["", "\\😀"]);
  });

  test("plain escapes may be cut anywhere in short chunks", () => {
    expect(valuesAfter('"', 'a\\"b\\', "n\\/c\\", "\\\\u0041\\", '"\\')).toStrictEqual([
      "",
      'a"b',
      'a"b\n/c',
      'a"b\n/c\\A',
      'a"b\n/c\\A"',
    ]);
  });

  test("the same holds at the end of a chunk long enough to be read in one go", () => {
    const long = "x".repeat(100);
    expect(valuesAfter('"', `${long}\\n\ud83d`, `\ude00${long}\\ud83d`)).toStrictEqual([
      "",
      `${long}\n`,
      `${long}\n😀${long}`,
    ]);
    expect(valuesAfter('"', `${long}\\u00`, `e9${long}\\`, `\\"`)).toStrictEqual([
      "",
      long,
      `${long}é${long}`,
      `${long}é${long}\\`,
    ]);
    expect(valuesAfter('"', `${long}\\\\\\"${long}"`)).toStrictEqual(["", `${long}\\"${long}`]);
  });

  test("bytes may be cut inside a character", () => {
    const bytes = new TextEncoder().encode('{"é":"😀"}');
    expect(valuesAfter(...[...bytes].map((byte) => Uint8Array.of(byte)))).toStrictEqual([
      {},
      {},
      {},
      {},
      {},
      {},
      { é: "" },
      { é: "" },
      { é: "" },
      { é: "" },
      { é: "😀" },
      { é: "😀" },
      { é: "😀" },
    ]);
  });
});

describe("status and end", () => {
  test.each([
    ["", "empty", "incomplete", undefined, "Text ended before a value", 0],
    [" \n", "empty", "incomplete", undefined, "Text ended before a value", 2],
    ["tr", "open", "incomplete", undefined, "Text ended inside a keyword", 2],
    ["-", "open", "incomplete", undefined, "Text ended inside a number", 1],
    ['"a', "open", "incomplete", "a", "Text ended inside a string", 2],
    ["{", "open", "incomplete", {}, "Text ended before a key", 1],
    ['{"a', "open", "incomplete", {}, "Text ended inside a key", 3],
    ['{"a"', "open", "incomplete", {}, "Text ended before a colon", 4],
    ['{"a":', "open", "incomplete", {}, "Text ended before a value", 5],
    ["[1,", "open", "incomplete", [1], "Text ended before a value", 3],
    ["[[]", "open", "incomplete", [[]], "Text ended before a comma or the end of its container", 3],
  ])("%j is %s", (text, status, ended, value, message, position) => {
    const reader = readAll(text);
    expect(reader.status).toBe(status);
    expect(reader.problem).toBeUndefined();
    const result = { status: ended, value, problem: { message, position } };
    expect(reader.end()).toStrictEqual(result);
    expect(reader.end()).toStrictEqual(result);
  });

  test("only the end finishes a number at the top", () => {
    const reader = readAll("-12.5e1", 1);
    expect([reader.status, reader.value]).toStrictEqual(["open", undefined]);
    expect(reader.end()).toStrictEqual({ status: "complete", value: -125 });
    expect([reader.status, reader.value, reader.snapshot()]).toStrictEqual([
      "complete",
      -125,
      -125,
    ]);
  });

  test("white space finishes it too", () => {
    const reader = readAll("12 ");
    expect([reader.status, reader.value]).toStrictEqual(["complete", 12]);
  });

  test("bytes that stop inside a character are incomplete", () => {
    const reader = createJsonReader();
    reader.push(Uint8Array.of(0x22, 0xc3));
    expect(reader.end()).toStrictEqual({
      status: "incomplete",
      value: "",
      problem: { message: "Text ended inside a string", position: 1 },
    });
  });
});

describe("problems say where, and keep the last good value", () => {
  test.each([
    ['{"a":1,}', 'Expected a key, found "}"', 7, { a: 1 }],
    ["[1 2]", 'Expected a comma or a bracket, found "2"', 3, [1]],
    ['{"a":1 "b"', 'Expected a comma or a brace, found "\\""', 7, { a: 1 }],
    ['{"a" 1', 'Expected a colon, found "1"', 5, {}],
    ["[1]x", 'Expected nothing after the value, found "x"', 3, [1]],
    ['"a\nb"', 'Expected no control character in a string, found "\\n"', 2, "a"],
    [
      `["${"x".repeat(99)}\u0000"]`,
      'Expected no control character in a string, found "\\u0000"',
      101,
      ["x".repeat(99)],
    ],
    ['"a\\x"', 'Expected an escape, found "x"', 3, "a"],
    ['"\\u00g0"', 'Expected an escape, found "g"', 5, ""],
    ["01", 'Expected nothing after the value, found "1"', 1, 0],
    ["[1.]", 'Expected a digit, found "]"', 3, []],
    ["trve", 'Expected true, found "v"', 2, undefined],
    ["\ufeff{}", 'Expected a value, found "\ufeff"', 0, undefined],
    ['{"a":{"b":[1,', undefined, undefined, { a: { b: [1] } }],
  ])("%j", (text, message, position, value) => {
    for (const size of [1, 2, 3, 7, text.length]) {
      const reader = readAll(text, size);
      expect(reader.problem).toStrictEqual(
        message === undefined ? undefined : { message, position },
      );
      expect(reader.value).toStrictEqual(value);
    }
  });

  test("text after a failure is ignored", () => {
    const reader = readAll("[1,]");
    const before = reader.snapshot();
    reader.push("2]");
    expect(reader.snapshot()).toBe(before);
    expect(reader.end()).toStrictEqual({
      status: "failed",
      value: [1],
      problem: { message: 'Expected a value, found "]"', position: 3 },
    });
  });

  test.each([
    ["a lone continuation", [0x22, 0x80]],
    ["an overlong form", [0x22, 0xc0, 0xaf]],
    ["an overlong form of three", [0x22, 0xe0, 0x80, 0x80]],
    ["a surrogate", [0x22, 0xed, 0xa0, 0x80]],
    ["beyond Unicode", [0x22, 0xf4, 0x90, 0x80, 0x80]],
    ["a cut sequence", [0x22, 0xc3, 0x22]],
  ])("bytes: %s", (_name, bytes) => {
    const reader = createJsonReader();
    reader.push(Uint8Array.from(bytes));
    expect(reader.problem).toStrictEqual({ message: "Bytes are not UTF-8", position: 1 });
    expect(reader.value).toBe("");
  });

  test("text after half a character of bytes", () => {
    const reader = createJsonReader();
    reader.push(Uint8Array.of(0x22, 0xc3));
    reader.push('x"');
    expect(reader.problem).toStrictEqual({ message: "Bytes are not UTF-8", position: 1 });
  });

  test("a byte order mark is not white space", () => {
    const reader = createJsonReader();
    reader.push(Uint8Array.of(0xef, 0xbb, 0xbf, 0x7b, 0x7d));
    expect(reader.problem?.position).toBe(0);
  });
});

describe("hostile keys", () => {
  test.each([
    '{"__proto__":{"polluted":true}}',
    '{"__proto__":null,"a":1}',
    '{"a":{"__proto__":"long text that grows"}}',
    '{"constructor":{"prototype":{"polluted":true}},"toString":1,"hasOwnProperty":"x"}',
    '{"__proto__":1,"__proto__":{"polluted":true}}',
    '{"\\u005f_proto__":{"polluted":true}}',
    '{"":{"":[]},"length":3}',
  ])("%s", (text) => {
    for (const size of [1, 3, text.length]) {
      const reader = createJsonReader();
      for (let at = 0; at < text.length; at += size) {
        reader.push(text.slice(at, at + size));
        reader.snapshot();
      }
      // Vitest's own equality cannot see a key called `__proto__`.
      expect(isDeepStrictEqual(reader.value, JSON.parse(text))).toBe(true);
      expect(isDeepStrictEqual(reader.snapshot(), JSON.parse(text))).toBe(true);
      expect(Object.getPrototypeOf(reader.snapshot())).toBe(Object.prototype);
      expect(Reflect.get({}, "polluted")).toBeUndefined();
    }
  });

  test("an equal key replaces the value and keeps its place", () => {
    const reader = readAll('{"a":1,"b":2,"a":{"c":3}}', 1);
    expect(JSON.stringify(reader.value)).toBe('{"a":{"c":3},"b":2}');
  });

  test("more keys than are remembered", () => {
    const text = JSON.stringify(
      Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`key${index}`, index])),
    );
    expect(readAll(text, 5).value).toStrictEqual(JSON.parse(text));
  });

  test("keys in another order, with other endings and spaces than the last time", () => {
    const texts = [
      '{"path":1,"content":2,"done":3}',
      '{"content":1,"path":2,"pathway":3,"pat":4}',
      '{"path" :1,"content": 2,"done"\n:\t3}',
      '{"path":1,"con\\u0074ent":2,"content\\"":3,"\\n":4}',
      `{"path":1,"${"long".repeat(30)}":2,"content":3}`,
    ];
    for (const text of [...texts, ...texts.reverse()]) {
      for (const size of [1, 2, 3, 5, 8, text.length]) {
        expect(readAll(text, size).end()).toStrictEqual({
          status: "complete",
          value: JSON.parse(text),
        });
      }
    }
  });

  test("a key that is the expected one up to any point, wherever the text stops", () => {
    const usual = '{"path":1,"content":2}';
    const others = ['{"pa\\u0074h":1}', '{"path" :1}', '{"paths":1}', '{"pat":1}', '{"pax":1}'];
    for (const text of [usual, ...others]) {
      for (let stop = 0; stop <= text.length; stop++) {
        readAll(usual);
        const part = text.slice(0, stop);
        expect(readAll(part, 1).end()).toStrictEqual(readAll(part).end());
      }
    }
  });
});
