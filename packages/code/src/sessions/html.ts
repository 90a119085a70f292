/**
 * A session as one HTML page that needs nothing else: no script, no request, a policy that allows neither. Everything
 * foreign is text; images are omitted and counted. Pure.
 */
import { createHash } from "node:crypto";
import type { RunEvent } from "@callboard/run-log";
import { createTerminalProjection, type TerminalOutput } from "@callboard/run-log/projections";
import { type Line, plainText } from "../door/spans.js";
import { cleanText } from "../door/terminalText.js";
import { detailLines } from "../view/callDetails.js";
import { closedRow } from "../view/callRow.js";
import { createSessionProjector } from "../view/sessionProjector.js";

const style = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.25rem; }
.user { font-weight: 600; border-left: 0.25rem solid #3b82f6; padding-left: 0.75rem; }
.text, .reasoning, .user { white-space: pre-wrap; overflow-wrap: anywhere; margin: 1rem 0; }
.reasoning, .end { opacity: 0.7; }
.error { color: #b91c1c; white-space: pre-wrap; }
details { margin: 0.25rem 0; }
summary { cursor: pointer; overflow-wrap: anywhere; }
.nested { margin-left: 1.5rem; }
.bad > summary { color: #b91c1c; }
pre { overflow-x: auto; padding: 0.75rem; border: 1px solid #8884; border-radius: 0.5rem; }
@media (prefers-color-scheme: dark) { .error, .bad > summary { color: #f87171; } }
`;

/** The maximum of one output in a page; its size is shown. */
const shownLines = 2_000;

export function htmlOf(sessionId: string, events: readonly RunEvent[]): string {
  const projector = createSessionProjector(createTerminalProjection());
  const parts: string[] = [];
  let prose: { readonly type: "text" | "reasoning"; text: string } | undefined;
  const closeProse = (): void => {
    if (prose !== undefined) parts.push(block(prose.type, prose.text));
    prose = undefined;
  };
  for (const event of events) {
    for (const output of projector.push(event)) {
      if (output.type === "text" || output.type === "reasoning") {
        if (prose?.type !== output.type) closeProse();
        prose ??= { type: output.type, text: "" };
        prose.text += output.chunk;
        continue;
      }
      closeProse();
      parts.push(htmlPartOf(output));
    }
  }
  closeProse();
  const hash = createHash("sha256").update(style).digest("base64");
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const title = `Callboard session ${sessionId}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapedMarkup(title)}</title>
<style>${style}</style>
</head>
<body>
<h1>${escapedMarkup(title)}</h1>
${parts.filter((part) => part !== "").join("\n")}
</body>
</html>
`;
}

function htmlPartOf(output: TerminalOutput): string {
  switch (output.type) {
    case "userSaid": {
      const images = output.images === 0 ? "" : ` (+ ${output.images} images)`;
      return block("user", output.text + images);
    }
    case "callClosed": {
      const { call } = output;
      const isBad = call.outcome === "error" || call.outcome === "timeout";
      const classes = [...(call.depth > 0 ? ["nested"] : []), ...(isBad ? ["bad"] : [])];
      const named = classes.length === 0 ? "" : ` class="${classes.join(" ")}"`;
      const details = detailLines({ ...call, depth: 0 }, shownLines);
      const body = details.length === 0 ? "" : `<pre>${escapedMarkup(textOfLines(details))}</pre>`;
      const row = textOfLines([closedRow({ ...call, depth: 0 })]);
      return `<details${named}><summary>${escapedMarkup(row)}</summary>${body}</details>`;
    }
    case "status":
      return block("end", output.text);
    case "error":
      return block("error", output.text);
    case "runClosed": {
      const reason = output.reason === undefined ? "" : `: ${output.reason}`;
      return block("end", `— ${output.outcome}${reason}`);
    }
    case "runStarted":
      return block("end", `model: ${output.model}`);
    case "text":
    case "reasoning":
    case "textClosed":
    case "callChanged":
      return "";
    default:
      return output satisfies never;
  }
}

function textOfLines(lines: readonly Line[]): string {
  return lines.map(plainText).join("\n");
}

function block(name: string, text: string): string {
  return text.trim() === "" ? "" : `<div class="${name}">${escapedMarkup(text)}</div>`;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapedMarkup(text: string): string {
  return cleanText(text).replace(/[&<>"']/g, (character) => entities[character] ?? "");
}
