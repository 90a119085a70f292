import { describe, expect, test } from "vitest";
import { createJsonReader, type JsonReader } from "./jsonReader.js";

function at(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>((inner, step) => Reflect.get(Object(inner), step), value);
}

function pushAndTake(reader: JsonReader, chunk: string): unknown {
  reader.push(chunk);
  return reader.snapshot();
}

describe("snapshots", () => {
  test("stay as they were", () => {
    const reader = createJsonReader();
    const taken = ['{"a":["x', "y", '",{"b":1', '}],"c":"', "z", '"}'].map((chunk) =>
      pushAndTake(reader, chunk),
    );
    expect(taken).toStrictEqual([
      { a: ["x"] },
      { a: ["xy"] },
      { a: ["xy", {}] },
      { a: ["xy", { b: 1 }], c: "" },
      { a: ["xy", { b: 1 }], c: "z" },
      { a: ["xy", { b: 1 }], c: "z" },
    ]);
  });

  test("share what is finished and renew only the way to what changed", () => {
    const reader = createJsonReader();
    const first = pushAndTake(reader, '{"a":[{"x":1},{"y":"1');
    const second = pushAndTake(reader, "2");
    expect(second).not.toBe(first);
    expect(at(second, "a")).not.toBe(at(first, "a"));
    expect(at(second, "a", 0)).toBe(at(first, "a", 0));
    expect(at(second, "a", 1)).not.toBe(at(first, "a", 1));
  });

  test("are the same object while nothing in them changed", () => {
    const reader = createJsonReader();
    const first = pushAndTake(reader, '{"a":["x"');
    expect(reader.snapshot()).toBe(first);
    for (const chunk of [" ", "]", " ,", '"ke', 'y"', ":", "1", "2"]) {
      expect(pushAndTake(reader, chunk)).toBe(first);
    }
    const second = pushAndTake(reader, "}");
    expect(second).toStrictEqual({ a: ["x"], key: 12 });
    expect(at(second, "a")).toBe(at(first, "a"));
    expect(pushAndTake(reader, " ")).toBe(second);
    expect(reader.value).toStrictEqual(second);
  });

  test("keep containers that closed unchanged, however many close at once", () => {
    const reader = createJsonReader();
    const first = pushAndTake(reader, '[[[{"a":1,"b":[2,3');
    expect(first).toStrictEqual([[[{ a: 1, b: [2] }]]]);
    const second = pushAndTake(reader, "]");
    const third = pushAndTake(reader, "}],4");
    const fourth = pushAndTake(reader, "],5]");
    expect(fourth).toStrictEqual([[[{ a: 1, b: [2, 3] }], 4], 5]);
    expect(at(third, 0, 0, 0)).toBe(at(second, 0, 0, 0));
    expect(at(fourth, 0, 0)).toBe(at(third, 0, 0));
    expect(reader.value).toStrictEqual(fourth);
  });

  test("taken rarely, they still share", () => {
    const reader = createJsonReader();
    const first = pushAndTake(reader, '{"a":{"b":[1,2]},"c":[[1],[2],');
    reader.push("[3");
    reader.push("],[");
    const second = pushAndTake(reader, "4");
    expect(at(second, "a")).toBe(at(first, "a"));
    expect(at(second, "c", 1)).toBe(at(first, "c", 1));
    expect(second).toStrictEqual({ a: { b: [1, 2] }, c: [[1], [2], [3], []] });
  });

  test.each([
    '{"a":[1,{"b":2,"c":[3,{"d":4,"e":5,"f":[6]}]}]}',
    '{"a":{"b":1},"a":{"c":[2]},"a":[3]}',
    '{"2":{"x":1},"1":{"b":[1],"0":[2,[3]]}}',
    '{"__proto__":{"a":[1]},"constructor":{"__proto__":[2],"b":[3]}}',
    '{"a":1,"__proto__":{"toString":{"b":[1]}}}',
  ])("have the keys of the value in its order: %s", (text) => {
    const reader = createJsonReader();
    for (const character of text) {
      const snapshot = pushAndTake(reader, character);
      expect(JSON.stringify(snapshot)).toBe(JSON.stringify(reader.value));
    }
    expect(JSON.stringify(reader.snapshot())).toBe(JSON.stringify(JSON.parse(text)));
  });
});
