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

const style = `
body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#1b1b1b;background:#fff}
main{max-width:40rem;margin:0 auto;padding:1rem}
h1{font-size:1.25rem}h2{font-size:1rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f2f2f2;padding:.75rem;border-radius:.5rem}
dt{font-weight:600}dd{margin:0 0 .5rem;overflow-wrap:anywhere}
label{display:block;margin:.75rem 0}small{display:block}
input:not([type=radio]):not([type=checkbox]),select,textarea{font:inherit;box-sizing:border-box;width:100%;padding:.6rem}
fieldset{border:0;padding:0;margin:.75rem 0}
.choice{padding:.6rem;border:1px solid #767676;border-radius:.5rem;overflow-wrap:anywhere}
button{font:inherit;width:100%;padding:.9rem;margin:.25rem 0;border-radius:.5rem;border:2px solid #1b1b1b}
.go{display:block;text-align:center;padding:.9rem;border-radius:.5rem}
.allow{background:#1b1b1b;color:#fff}.deny{background:#fff;color:#1b1b1b}
@media (prefers-color-scheme:dark){body{color:#eee;background:#161616}pre{background:#262626}
button{border-color:#eee}.allow{background:#eee;color:#161616}.deny{background:#161616;color:#eee}}
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
