import { describe, expect, it } from "vitest";
import type { AskedQuestion } from "../runs/askedQuestions.js";
import { messagePage, questionPage } from "./answerPage.js";

const question: AskedQuestion = {
  seq: 5,
  approvalId: "a1",
  callId: "c1",
  toolName: "shell",
  arguments: { command: "ls" },
  options: [
    { optionId: "allow_once", kind: "allow_once", name: "Allow" },
    { optionId: "allow_always", kind: "allow_always", name: "Always" },
    { optionId: "reject_once", kind: "reject_once", name: "Deny" },
  ],
};
const bodyOf = async (page: Response): Promise<string> =>
  /<main>(.*)<\/main>/s.exec(await page.text())?.[1] ?? "";

describe("the page of an answer link", () => {
  it("shows what is asked and two buttons that post", async () => {
    const page = questionPage({ ...question, title: "List files", reason: "it is new" }, "k.s");
    expect(page.status).toBe(200);
    expect(await bodyOf(page)).toBe(
      [
        "<h1>Allow this call?</h1>",
        "<dl><dt>Tool</dt><dd>shell</dd><dt>Title</dt><dd>List files</dd><dt>Reason</dt><dd>it is new</dd></dl>",
        "<h2>Arguments</h2><pre>{\n  &quot;command&quot;: &quot;ls&quot;\n}</pre>",
        '<form method="post" action="k.s/allow"><button class="allow">Allow once</button></form>',
        '<form method="post" action="k.s/deny"><button class="deny">Deny</button></form>',
      ].join(""),
    );
  });

  it("may run no script, load nothing, be framed by nobody and be kept nowhere", async () => {
    const page = messagePage(410, "Over", "It is over.");
    const { headers } = page;
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(await page.text()).not.toMatch(/<script|<link|<img|https?:/);
  });

  it("makes text of whatever the agent says", async () => {
    const evil = "</pre><script>alert(1)</script><img src=x onerror='y'>\"&";
    const page = questionPage(
      { ...question, toolName: evil, title: evil, reason: evil, arguments: { [evil]: evil } },
      evil,
    );
    const body = await bodyOf(page);
    expect(body).not.toMatch(/<script|<img|onerror='|<\/pre>.*<\/pre>/s);
    expect(body.match(/<[a-z]+\d?/g)).toEqual([
      ...["<h1", "<dl", "<dt", "<dd", "<dt", "<dd", "<dt", "<dd"],
      ...["<h2", "<pre", "<form", "<button", "<form", "<button"],
    ]);
  });

  it("shows what is invisible or turns the direction of writing", async () => {
    const hidden = "rm\u202e x\u200b\u{e0041}\u0007\u2028\u00ad";
    const body = await bodyOf(questionPage({ ...question, title: hidden }, "k.s"));
    expect(body).toContain("<dd>rm\\u{202e} x\\u{200b}\\u{e0041}\\u{7}\\u{2028}\\u{ad}</dd>");
  });

  it("bounds what it shows, and says so", async () => {
    const long = questionPage({ ...question, arguments: "a".repeat(100_000) }, "k.s");
    const body = await bodyOf(long);
    expect(body.length).toBeLessThan(6_000);
    expect(body).toContain("<strong>96002 more characters are not shown here.</strong>");
  });

  it("offers only what was offered", async () => {
    const [, ...others] = question.options;
    const body = await bodyOf(questionPage({ ...question, options: others }, "k.s"));
    expect(body.match(/<button class="\w+">/g)).toEqual(['<button class="deny">']);
  });
});
