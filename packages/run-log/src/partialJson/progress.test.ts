import { expect, test } from "vitest";
import { createJsonReader } from "./jsonReader.js";

test("changes say what started, grew, was set and closed, by path", () => {
  const reader = createJsonReader();
  expect(reader.push('{"path":"a.ts","content":"ab').changes).toStrictEqual([
    { type: "open", path: [], kind: "object" },
    { type: "set", path: ["path"], value: "a.ts" },
    { type: "open", path: ["content"], kind: "string" },
    { type: "append", path: ["content"], text: "ab" },
  ]);
  expect(reader.push("c\\nd").changes).toStrictEqual([
    { type: "append", path: ["content"], text: "c\nd" },
  ]);
  expect(reader.push("\\").changes).toStrictEqual([]);
  expect(reader.push('"x","list":[1,{"a":"').changes).toStrictEqual([
    { type: "append", path: ["content"], text: '"x' },
    { type: "close", path: ["content"] },
    { type: "open", path: ["list"], kind: "array" },
    { type: "set", path: ["list", 0], value: 1 },
    { type: "open", path: ["list", 1], kind: "object" },
    { type: "open", path: ["list", 1, "a"], kind: "string" },
  ]);
  expect(reader.push('"}],"n":null').changes).toStrictEqual([
    { type: "close", path: ["list", 1, "a"] },
    { type: "close", path: ["list", 1] },
    { type: "close", path: ["list"] },
    { type: "set", path: ["n"], value: null },
  ]);
  expect(reader.push("} ").changes).toStrictEqual([{ type: "close", path: [] }]);
});

test("paths that changed, once each, and paths that are complete", () => {
  const reader = createJsonReader();
  const first = reader.push('{"path":"a.ts","content":"ab');
  expect(first.changedPaths).toStrictEqual([[], ["path"], ["content"]]);
  expect(first.completedPaths).toStrictEqual([["path"]]);
  const second = reader.push('c"');
  expect(second.changedPaths).toStrictEqual([["content"]]);
  expect(second.completedPaths).toStrictEqual([["content"]]);
});

test("every push gives the one progress again, asked for or not", () => {
  const reader = createJsonReader();
  const progress = reader.push('["a');
  expect(reader.push("b")).toBe(progress);
  expect(progress.changes).toStrictEqual([{ type: "append", path: [0], text: "b" }]);
  expect(reader.push("").changes).toStrictEqual([]);
  expect(reader.push("\n").changes).toStrictEqual([]);
});

test("a scalar at the top has the empty path", () => {
  const reader = createJsonReader();
  expect(reader.push('"a').changes).toStrictEqual([
    { type: "open", path: [], kind: "string" },
    { type: "append", path: [], text: "a" },
  ]);
  expect(reader.push('b"').changes).toStrictEqual([
    { type: "append", path: [], text: "b" },
    { type: "close", path: [] },
  ]);
});

test("a chunk with many values", () => {
  const items = Array.from({ length: 3000 }, (_, index) => index);
  const reader = createJsonReader();
  expect(reader.push(JSON.stringify(items)).changedPaths).toHaveLength(3001);
  expect(reader.push(" ").changes).toStrictEqual([]);
});
