import { describe, expect, it } from "vitest";
import type { AskedApproval } from "../runs/askedQuestions.js";
import { messagePage, questionPage } from "./answerPage.js";

const question: AskedApproval = {
  type: "approval",
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
const page = { key: "k.s", redactText: (text: string) => text };
const bodyOf = async (answer: Response): Promise<string> =>
  /<main>(.*)<\/main>/s.exec(await answer.text())?.[1] ?? "";

describe("the page of an answer link", () => {
  it("shows what is asked and two buttons that post", async () => {
    const shown = questionPage({ ...question, title: "List files", reason: "it is new" }, page);
    expect(shown.status).toBe(200);
    expect(await bodyOf(shown)).toBe(
      [
        "<h1>Allow this call?</h1>",
        "<dl><dt>Tool</dt><dd>shell</dd><dt>Title</dt><dd>List files</dd><dt>Reason</dt><dd>it is new</dd></dl>",
        "<h2>Arguments</h2><pre>{\n  &quot;command&quot;: &quot;ls&quot;\n}</pre>",
        '<form method="post" action="k.s/allow"><button class="allow">Allow once</button></form>',
        '<form method="post" action="k.s/deny"><button class="deny">Deny</button></form>',
      ].join(""),
    );
  });

  it("says once what is asked, and asks for more of a limit in its words", async () => {
    const same = questionPage({ ...question, title: "List files", reason: "List files" }, page);
    expect(await bodyOf(same)).not.toContain("Reason");
    const more = { limit: "turns", used: 2, allowed: 2, more: 2 };
    const limit = { ...question, toolName: "raise_limit", arguments: more };
    expect(await bodyOf(questionPage(limit, page))).toMatch(
      /^<h1>Allow more\?<\/h1><p>The run has used 2 turns of 2 turns\. Allow 2 turns more\?<\/p><form/,
    );
  });

  it("may run no script, load nothing, be framed by nobody and be kept nowhere", async () => {
    const shown = messagePage(410, "Over", "It is over.");
    const { headers } = shown;
    expect(headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers.get("cache-control")).toBe("no-store");
    expect(headers.get("referrer-policy")).toBe("same-origin");
    expect(await shown.text()).not.toMatch(/<script|<link|<img|https?:/);
  });

  it("makes text of whatever the agent says", async () => {
    const evil = "</pre><script>alert(1)</script><img src=x onerror='y'>\"&";
    const shown = questionPage(
      { ...question, toolName: evil, title: evil, reason: `${evil}!`, arguments: { [evil]: evil } },
      { ...page, key: evil },
    );
    const body = await bodyOf(shown);
    expect(body).not.toMatch(/<script|<img|onerror='|<\/pre>.*<\/pre>/s);
    expect(body.match(/<[a-z]+\d?/g)).toEqual([
      ...["<h1", "<dl", "<dt", "<dd", "<dt", "<dd", "<dt", "<dd"],
      ...["<h2", "<pre", "<form", "<button", "<form", "<button"],
    ]);
  });

  it("shows what is invisible or turns the direction of writing", async () => {
    const hidden = "rm\u202e x\u200b\u{e0041}\u0007\u2028\u00ad";
    const body = await bodyOf(questionPage({ ...question, title: hidden }, page));
    expect(body).toContain("<dd>rm\\u{202e} x\\u{200b}\\u{e0041}\\u{7}\\u{2028}\\u{ad}</dd>");
  });

  it("bounds what it shows, and says so", async () => {
    const long = questionPage({ ...question, arguments: "a".repeat(100_000) }, page);
    const body = await bodyOf(long);
    expect(body.length).toBeLessThan(6_000);
    expect(body).toContain("<strong>96002 more characters are not shown here.</strong>");
  });

  it("offers only what was offered", async () => {
    const [, ...others] = question.options;
    const body = await bodyOf(questionPage({ ...question, options: others }, page));
    expect(body.match(/<button class="\w+">/g)).toEqual(['<button class="deny">']);
  });

  const asked = { seq: 5, callId: "c1", toolName: "ask_user", arguments: {} };

  it("lets a person answer a question of the model, or decline", async () => {
    const question = { question: "Deploy <now>?", choices: ["yes"] };
    const shown = questionPage({ ...asked, type: "question", question }, page);
    expect(await bodyOf(shown)).toBe(
      [
        "<h1>The agent asks you</h1><pre>Deploy &lt;now&gt;?</pre>",
        '<form method="post" action="k.s/answer">',
        '<label class="choice"><input type="radio" name="choice" value="0" required> yes</label>',
        '<button class="allow">Send the answer</button>',
        '<button class="deny" formaction="k.s/decline" formnovalidate>Decline to answer</button></form>',
      ].join(""),
    );
  });

  it("takes the result of a call that a client executes, and says why an answer does not fit", async () => {
    const shown = questionPage(
      { ...asked, type: "client_call", toolName: "locate", arguments: { of: "me" } },
      { ...page, problem: "too <long>" },
    );
    expect(shown.status).toBe(422);
    expect(await bodyOf(shown)).toBe(
      [
        '<h1>What did this call give?</h1><p role="alert"><strong>too &lt;long&gt;</strong></p>',
        "<dl><dt>Tool</dt><dd>locate</dd></dl>",
        "<h2>Arguments</h2><pre>{\n  &quot;of&quot;: &quot;me&quot;\n}</pre>",
        '<form method="post" action="k.s/answer">',
        '<label>Result, or what went wrong<textarea name="text" rows="4" required></textarea></label>',
        '<button class="allow">Send the result</button>',
        '<button class="deny" formaction="k.s/decline" formnovalidate>It failed</button></form>',
      ].join(""),
    );
  });
});
