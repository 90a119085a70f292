import { expect, test } from "vitest";
import { extractStreamingParams } from "./extractStreamingParams.js";

test.each([
  ["", {}],
  ["  ", {}],
  ["{", {}],
  ['{"path":"src/a', { path: "src/a" }],
  ['{"path":"src/a.ts","line":1', { path: "src/a.ts" }],
  [
    '{"path":"src/a.ts","line":12,"deep":{"list":[1,"tw',
    { path: "src/a.ts", line: 12, deep: { list: [1, "tw"] } },
  ],
  ['{"a":1,}', { a: 1 }],
  ['{"a":1} trailing', { a: 1 }],
  ['["a"]', {}],
  ['"text"', {}],
  ["null", {}],
  ["not json", {}],
])("%j gives %j", (text, params) => {
  expect(extractStreamingParams(text)).toStrictEqual(params);
});
