import { describe, expect, it } from "vitest";
import { htmlToText } from "./htmlText.js";

describe("HTML as text", () => {
  it("reads like the page", () => {
    const html = `<!doctype html><html><head><title>A &amp; B</title><style>p { color: red }</style>
<script>if (1 < 2) alert("</p>")</script></head><body>
<h1>Head</h1><p>One <b>bold</b>
word &ndash; and <a href="/x?a=1&amp;b=2" title="a > b">a link</a>.</p>
<ul><li>first</li><li>second</li></ul>
<pre>  two
    spaces</pre>
<table><tr><td>1</td><td>2</td></tr></table>
<img src="x" alt="a picture"><!-- <p>no</p> --><a href="javascript:x()">no</a>&#8364;&#x1F600;
</body></html>`;
    expect(htmlToText(html)).toEqual({
      title: "A & B",
      text: "# Head\n\nOne bold word – and a link (/x?a=1&b=2).\n\n- first\n- second\n\n  two\n    spaces\n\n\t1\t\t2\n[a picture]no€😀",
    });
  });

  it.each([
    ["a < b", "a < b"],
    ["1 <2> 3", "1 <2> 3"],
    ["<p>open", "open"],
    ["<p>a<!-- never closed", "a"],
    ["a<script>x", "a"],
    ["<SCRIPT>x</ScRiPt >y", "y"],
    ['<p title="a>b">c</p>', "c"],
    ["<p title='never closed>c</p>", ""],
    ["&lt;script&gt;", "<script>"],
    ["&unknown; &#0; &#xD800; &#99999999;", "&unknown; \ufffd \ufffd &#99999999;"],
    ["", ""],
    ["plain", "plain"],
    ["<svg><p>in</p></svg>out", "out"],
    ["\u0130<SCRIPT>bad()</SCRIPT><p>ok</p>\u0130<style>x</style>end", "\u0130\n\nok\n\u0130end"],
  ])("reads %j", (html, text) => {
    expect(htmlToText(html).text).toBe(text);
  });

  it.each([
    ["<"],
    ["<a "],
    ['<a href="'],
    ["<!--"],
    ["<script>"],
    ["</"],
    ["&"],
    ["<p>"],
    [" "],
    ["\n"],
    ["<a href=x>"],
    ["<a href='x' "],
    ["<title>"],
    ["<p\t"],
  ])("is linear for a megabyte of %j", (piece) => {
    const start = process.cpuUsage();
    htmlToText(piece.repeat(Math.ceil(1e6 / piece.length)));
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(5000);
  });
});
