/** The exported file: nothing in it can leave its element, and its policy names exactly its parts. */
import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { htmlDocument } from "./htmlDocument.js";

const sha256 = async (text: string): Promise<string> =>
  createHash("sha256").update(text).digest("base64");

const hostile = '</script><script>alert(1)</script><!-- <style></style> & "quotes"';

it("keeps hostile text inside its element", async () => {
  const script = `console.log(${JSON.stringify(hostile)})`;
  const html = await htmlDocument({ title: hostile, script, style: "a{}", log: hostile }, sha256);
  expect(html.match(/<script/g)).toHaveLength(3);
  expect(html.match(/<\/script>/g)).toHaveLength(2);
  const [, json = ""] = /id="recording">(.*)<\/script>/.exec(html) ?? [];
  expect(JSON.parse(json)).toEqual({ title: hostile, log: hostile });
});

it("allows its own script and style and nothing else", async () => {
  const html = await htmlDocument({ title: "t", script: "1", style: "a{}", log: "" }, sha256);
  const [, policy = ""] = /Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
  expect(policy.split("; ")).toEqual([
    "default-src 'none'",
    `script-src 'sha256-${await sha256("1")}'`,
    `style-src 'sha256-${await sha256("a{}")}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ]);
});
