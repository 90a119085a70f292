/** What the generic renderer draws for each shape. */
import { act } from "react";
import { expect, it } from "vitest";
import { bareMarkup, drawn } from "../testing/drawn.js";
import { shapeOfText } from "./shapes.js";
import { ShapeView, ValueView } from "./ValueView.js";

// What is loaded later is there at once.
await import("./Markdown.js");

const picture = { type: "image", mimeType: "image/png", data: "iVBOR" };

it.each([
  ["nothing", "", "<p>Nothing came back.</p>"],
  ["text", "one\ntwo", '<div><div role="group" aria-label="Text"><pre>one\ntwo</pre></div></div>'],
  [
    "markdown",
    "# Title\n\n- one\n- *two*",
    "<div><h3>Title</h3>\n<ul>\n<li>one</li>\n<li><em>two</em></li>\n</ul></div>",
  ],
  [
    "a table",
    '[{"a":1,"b":["x","y"]},{"a":null}]',
    '<div role="group" aria-label="Table"><table><thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead><tbody><tr><td>1</td><td>x, y</td></tr><tr><td>–</td><td>–</td></tr></tbody></table></div>',
  ],
  [
    "keys and values",
    '{"name":"x","tags":["a","b"]}',
    "<dl><div><dt>name</dt><dd>x</dd></div><div><dt>tags</dt><dd>a, b</dd></div></dl>",
  ],
  ["a list", '["a",2,true]', "<ul><li>a</li><li>2</li><li>true</li></ul>"],
  [
    "a tree, open at its first levels",
    '{"a":{"b":{"c":{"d":1}}},"e":2}',
    '<ul><li><details open=""><summary>a <span>{1}</span></summary><ul><li><details open=""><summary>b <span>{1}</span></summary><ul><li><details><summary>c <span>{1}</span></summary></details></li></ul></details></li></ul></details></li><li><span>e: </span><span>2</span></li></ul>',
  ],
  [
    "a picture",
    JSON.stringify(picture),
    '<img alt="A picture (image/png)" src="data:image/png;base64,iVBOR">',
  ],
  [
    "media that the page does not show",
    JSON.stringify({ ...picture, type: "audio", mimeType: "audio/wav" }),
    "<p>[audio/wav]</p>",
  ],
  [
    "parts, each by its own shape",
    JSON.stringify([{ type: "text", text: '["a","b"]' }, picture]),
    '<div><ul><li>a</li><li>b</li></ul><img alt="A picture (image/png)" src="data:image/png;base64,iVBOR"></div>',
  ],
])("draws %s", async (_, output, markup) => {
  expect(bareMarkup(await drawn(<ShapeView shape={shapeOfText(output)} />))).toBe(markup);
});

it.each([
  ["one line", "<p>one line</p>"],
  [42, "<p>42</p>"],
  [false, "<p>false</p>"],
])("draws the scalar %j as it is", async (value, markup) => {
  expect(bareMarkup(await drawn(<ValueView value={value} />))).toBe(markup);
});

it("mounts what is below a branch of a tree when it is opened, and only then", async () => {
  const inner = { c: [1, { d: 2, e: [3] }] };
  const side = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`b${at}`, inner]));
  const value = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`a${at}`, side]));
  const tree = await drawn(<ValueView value={value} />);
  expect(tree.querySelectorAll("*").length).toBeLessThan(300);
  const branch = tree.querySelector("details");
  await act(async () => {
    branch?.setAttribute("open", "");
    branch?.dispatchEvent(new Event("toggle"));
  });
  expect(branch?.querySelectorAll(":scope > ul > li")).toHaveLength(30);
});

it.each([
  ["list", Array.from({ length: 60_000 }, (_, index) => index)],
  ["keys", Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`k${index}`, index]))],
])("draws as much of a long %s as can be read", async (_, value) => {
  const shown = await drawn(<ValueView value={value} />);
  expect(shown.querySelectorAll("*").length).toBeLessThan(1_000);
  expect(shown.textContent).toContain("59800 more are in Raw.");
});

it("draws as many rows as can be read, and says where the others are", async () => {
  const rows = Array.from({ length: 250 }, (_, index) => ({ index }));
  const table = await drawn(<ValueView value={rows} />);
  expect(table.querySelectorAll("tbody tr")).toHaveLength(200);
  expect(table.textContent).toContain("50 more rows are in Raw.");
});
