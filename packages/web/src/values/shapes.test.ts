/** Which shape the generic renderer sees in a value. */
import { describe, expect, it } from "vitest";
import { shapeOfText } from "./shapes.js";

describe("the shape of an output", () => {
  it.each([
    ["", "empty"],
    ["  \n", "empty"],
    ["[]", "empty"],
    ["{}", "empty"],
    ["42 files", "text"],
    ["{ not json", "text"],
    ["one\ntwo", "text"],
    ["# Title\n\ntext", "markdown"],
    ["- one\n- two", "markdown"],
    ['["a","b",3]', "list"],
    ['[{"a":1},{"a":2,"b":"x"}]', "table"],
    ['[{"a":{"deep":[{}]}}]', "tree"],
    ["[1,{}]", "tree"],
    ['{"name":"x","tags":["a","b"]}', "keyValue"],
    ['{"a":{"b":1}}', "tree"],
  ])("%j is %s", (text, type) => {
    expect(shapeOfText(text).type).toBe(type);
  });

  it("takes its columns from all rows, in the order in which they appear", () => {
    expect(shapeOfText('[{"b":1,"a":2},{"c":3}]')).toMatchObject({ columns: ["b", "a", "c"] });
  });

  it("keeps `__proto__` as a plain key", () => {
    expect(shapeOfText('{"__proto__":1}')).toEqual({
      type: "keyValue",
      entries: [["__proto__", 1]],
    });
  });

  it("calls nesting beyond the limit text, not a tree", () => {
    const deep = `${"[".repeat(600)}${"]".repeat(600)}`;
    expect(shapeOfText(deep).type).toBe("text");
  });
});
