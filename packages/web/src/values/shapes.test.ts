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
    ['{"type":"image","mimeType":"image/png","data":"iVBOR"}', "media"],
    [
      '[{"type":"text","text":"a"},{"type":"image","mimeType":"image/png","data":"iVBOR"}]',
      "parts",
    ],
    ['{"content":[{"type":"text","text":"# Title"}],"isError":false}', "parts"],
    ['{"content":["a"],"isError":false}', "keyValue"],
  ])("%j is %s", (text, type) => {
    expect(shapeOfText(text).type).toBe(type);
  });

  it("takes its columns from all rows, in the order in which they appear", () => {
    expect(shapeOfText('[{"b":1,"a":2},{"c":3}]')).toMatchObject({ columns: ["b", "a", "c"] });
  });

  it.each(["image/svg+xml", "text/html", "audio/wav", 'image/png"onerror=1'])(
    "names media of type %s, and does not show it",
    (mimeType) => {
      const shape = shapeOfText(JSON.stringify({ type: "image", mimeType, data: "AAAA" }));
      expect(shape).toEqual({ type: "media", mediaType: mimeType });
    },
  );

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
