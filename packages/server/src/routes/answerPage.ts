/**
 * The page that an answer link opens: small, for a phone, without script. Everything of the agent's is text: it is
 * escaped, bounded, and what is invisible or changes the direction of writing is shown as its number.
 */
import { createHash } from "node:crypto";
import {
  type LimitRequest,
  limitQuestionText,
  limitRequestIn,
  limitToolName,
} from "@callboard/run-log/asking";
import type {
  AskedApproval,
  AskedClient,
  AskedPerson,
  AskedQuestion,
} from "../runs/askedQuestions.js";
import { answerFields } from "./answerFields.js";
import { htmlText as shown } from "./htmlText.js";

/** The colours of the board. */
const style = `
:root{color-scheme:light dark;--paper:#fbfaf8;--raised:#fff;--sunken:#f1efeb;--line:#dcd8d0;--edge:#8a8478;--ink:#1d1b18;--quiet:#625d55;--accent:#1d5fae;--on-accent:#fff;--deny:#b3261e}
@media (prefers-color-scheme:dark){:root{--paper:#161513;--raised:#1f1d1b;--sunken:#100f0e;--line:#393631;--edge:#7d776b;--ink:#eeebe5;--quiet:#aaa499;--accent:#7db4f5;--on-accent:#10213a;--deny:#ff8f85}}
body{font:16px/1.5 Inter,system-ui,sans-serif;margin:0;color:var(--ink);background:var(--paper)}
main{box-sizing:border-box;max-width:36rem;margin:0 auto;padding:1rem}
main::before{content:"Callboard";display:block;margin:.25rem 0 1rem;color:var(--quiet);font-size:.875rem;font-weight:600}
h1{font-size:1.375rem;line-height:1.3;margin:0 0 1rem}
h2{font-size:.8125rem;font-weight:500;color:var(--quiet);margin:1rem 0 .25rem}
pre{font:.8125rem/1.5 ui-monospace,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere;margin:0 0 1rem;padding:.75rem;background:var(--sunken);border:1px solid var(--line);border-radius:.5rem}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:.25rem 1rem;margin:0}
dt{color:var(--quiet)}dd{margin:0;overflow-wrap:anywhere}
label{display:block;margin:.75rem 0}small{display:block;color:var(--quiet)}
input:not([type=radio]):not([type=checkbox]),select,textarea{font:inherit;color:inherit;background:var(--raised);box-sizing:border-box;width:100%;padding:.6rem;border:1px solid var(--edge);border-radius:.5rem}
input[type=radio],input[type=checkbox]{accent-color:var(--accent)}
fieldset{border:0;padding:0;margin:.75rem 0}
.choice{padding:.6rem;background:var(--raised);border:1px solid var(--edge);border-radius:.5rem;overflow-wrap:anywhere}
button{font:inherit;font-weight:500;cursor:pointer;width:100%;padding:.8rem;margin:.25rem 0;border-radius:.5rem;border:1px solid var(--edge)}
.go{display:block;text-align:center;padding:.8rem;border-radius:.5rem;text-decoration:none}
.allow{background:var(--accent);color:var(--on-accent);border-color:var(--accent)}.deny{background:var(--raised);color:var(--deny)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
[role=alert]{color:var(--deny)}
`;

const styleHash = createHash("sha256").update(style).digest("base64");

/** With `same-origin` a browser names the page's own origin when the form is sent; with `no-referrer` it would say null. */
const headers = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy": [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; "),
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
  "x-robots-tag": "noindex",
};

/** What a person reads before they answer; the rest is on the board. */
const mostShown = 4_000;
const mostWords = 500;

/** The answers to an approval that a page offers. Rules for ever are not made from a link. */
export const approvalAnswers = { allow: "allow_once", deny: "reject_once" } as const;
export type ApprovalAnswer = keyof typeof approvalAnswers;

export interface QuestionPageOptions {
  /** Of the link; the page is under `/a/`. */
  readonly key: string;
  readonly redactText: (text: string) => string;
  /** Why the answer that was sent does not fit. */
  readonly problem?: string;
}

export function questionPage(question: AskedQuestion, options: QuestionPageOptions): Response {
  const { problem } = options;
  const status = problem === undefined ? 200 : 422;
  const refused =
    problem === undefined
      ? []
      : [`<p role="alert"><strong>${shown(problem.slice(0, mostWords))}</strong></p>`];
  switch (question.type) {
    case "approval":
      return page(status, limitOf(question) ? "Allow more?" : "Allow this call?", [
        ...refused,
        ...approvalParts(question, options),
      ]);
    case "question":
      return page(status, "The agent asks you", [...refused, ...personParts(question, options)]);
    case "client_call":
      return page(status, "What did this call give?", [
        ...refused,
        ...clientParts(question, options),
      ]);
    default:
      return question satisfies never;
  }
}

function approvalParts(question: AskedApproval, { key }: QuestionPageOptions): readonly string[] {
  const { toolName, title, reason, options } = question;
  const isOffered = (kind: string): boolean => options.some((option) => option.kind === kind);
  const button = (answer: ApprovalAnswer, words: string): string =>
    isOffered(approvalAnswers[answer])
      ? `<form method="post" action="${shown(key)}/${answer}"><button class="${answer}">${words}</button></form>`
      : "";
  const limit = limitOf(question);
  const asked =
    limit === undefined
      ? [
          factList([
            ["Tool", toolName],
            ["Title", title],
            ["Reason", reason === title ? undefined : reason],
          ]),
          ...argumentParts(question, "allow the call"),
        ]
      : [`<p>${shown(limitQuestionText(limit))}</p>`];
  return [...asked, button("allow", "Allow once"), button("deny", "Deny")];
}

const limitOf = ({ toolName, arguments: input }: AskedApproval): LimitRequest | undefined =>
  toolName === limitToolName ? limitRequestIn(input) : undefined;

function personParts(
  { question }: AskedPerson,
  { key, redactText }: QuestionPageOptions,
): readonly string[] {
  return [
    `<pre>${shown(redactText(question.question).slice(0, mostShown))}</pre>`,
    // As text: whether an address of the agent's is opened is for the person to decide.
    question.url === undefined
      ? ""
      : `<p>Open this address before you answer:</p><pre>${shown(redactText(question.url).slice(0, mostShown))}</pre>`,
    answerForm(key, answerFields(question, redactText), "Send the answer", "Decline to answer"),
  ];
}

function clientParts(question: AskedClient, { key }: QuestionPageOptions): readonly string[] {
  const { toolName, title } = question;
  return [
    factList([
      ["Tool", toolName],
      ["Title", title],
    ]),
    ...argumentParts(question, "give its result"),
    answerForm(
      key,
      [
        `<label>Result, or what went wrong<textarea name="text" rows="4" required></textarea></label>`,
      ],
      "Send the result",
      "It failed",
    ),
  ];
}

function answerForm(key: string, fields: readonly string[], send: string, decline: string): string {
  const path = shown(key);
  return [
    `<form method="post" action="${path}/answer">`,
    ...fields,
    `<button class="allow">${send}</button>`,
    `<button class="deny" formaction="${path}/decline" formnovalidate>${decline}</button></form>`,
  ].join("");
}

function factList(facts: readonly (readonly [string, string | undefined])[]): string {
  const listed = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`<dt>${name}</dt><dd>${shown(value.slice(0, mostWords))}</dd>`],
  );
  return `<dl>${listed.join("")}</dl>`;
}

function argumentParts(question: AskedQuestion, doing: string): readonly string[] {
  const text = JSON.stringify(question.arguments, null, 2);
  const rest = text.length - mostShown;
  return [
    `<h2>Arguments</h2><pre>${shown(text.slice(0, mostShown))}</pre>`,
    rest > 0
      ? `<p><strong>${rest} more characters are not shown here.</strong> Open the board to read them before you ${doing}.</p>`
      : "",
  ];
}

export function messagePage(status: number, heading: string, words: string): Response {
  return page(status, heading, [`<p>${shown(words)}</p>`]);
}

/** A page that leads somewhere, once its reader has read it. */
export function linkPage(
  heading: string,
  words: readonly string[],
  { href, words: label }: { readonly href: string; readonly words: string },
): Response {
  return page(200, heading, [
    ...words.map((one) => `<p>${shown(one)}</p>`),
    `<p><a class="go allow" href="${shown(href)}">${shown(label)}</a></p>`,
  ]);
}

function page(status: number, heading: string, parts: readonly string[]): Response {
  const html = [
    `<!doctype html><html lang="en"><head><meta charset="utf-8">`,
    `<meta name="viewport" content="width=device-width, initial-scale=1">`,
    `<title>${shown(heading)}</title><style>${style}</style></head>`,
    `<body><main><h1>${shown(heading)}</h1>`,
    ...parts,
    "</main></body></html>\n",
  ];
  return new Response(html.join(""), { status, headers });
}
