/**
 * The page that an answer link opens: small, for a phone, without script. Everything of the agent's is text: it is
 * escaped, bounded, and what is invisible or changes the direction of writing is shown as its number.
 */
import { createHash } from "node:crypto";
import type { AskedQuestion } from "../runs/askedQuestions.js";

const style = `
body{font:16px/1.5 system-ui,sans-serif;margin:0;color:#1b1b1b;background:#fff}
main{max-width:40rem;margin:0 auto;padding:1rem}
h1{font-size:1.25rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f2f2f2;padding:.75rem;border-radius:.5rem}
dt{font-weight:600}dd{margin:0 0 .5rem}
button{font:inherit;width:100%;padding:.9rem;margin:.25rem 0;border-radius:.5rem;border:2px solid #1b1b1b}
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

/** The answers that a page offers. Rules for ever are not made from a link. */
export const linkAnswers = { allow: "allow_once", deny: "reject_once" } as const;
export type LinkAnswer = keyof typeof linkAnswers;

export function questionPage(question: AskedQuestion, key: string): Response {
  const { toolName, title, reason, options } = question;
  const text = JSON.stringify(question.arguments, null, 2);
  const rest = text.length - mostShown;
  const facts: readonly (readonly [string, string | undefined])[] = [
    ["Tool", toolName],
    ["Title", title],
    ["Reason", reason],
  ];
  const listed = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [`<dt>${name}</dt><dd>${shown(value.slice(0, mostWords))}</dd>`],
  );
  const isOffered = (kind: string): boolean => options.some((option) => option.kind === kind);
  const button = (answer: LinkAnswer, words: string): string =>
    isOffered(linkAnswers[answer])
      ? `<form method="post" action="${shown(key)}/${answer}"><button class="${answer}">${words}</button></form>`
      : "";
  return page(200, "Allow this call?", [
    `<dl>${listed.join("")}</dl>`,
    `<h2>Arguments</h2><pre>${shown(text.slice(0, mostShown))}</pre>`,
    rest > 0
      ? `<p><strong>${rest} more characters are not shown here.</strong> Open the board to read them before you allow the call.</p>`
      : "",
    button("allow", "Allow once"),
    button("deny", "Deny"),
  ]);
}

export function messagePage(status: number, heading: string, words: string): Response {
  return page(status, heading, [`<p>${shown(words)}</p>`]);
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

const marks: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text that means what it looks like. */
function shown(text: string): string {
  return text
    .replace(/[&<>"']/g, (character) => marks[character] ?? "")
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (character) =>
      character === "\n" ? character : numbered(character),
    );
}

function numbered(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return `\\u{${code.toString(16)}}`;
}
