/**
 * One HTML file that shows a recorded conversation wherever it is opened: script, style and log are
 * inside, and its policy lets nothing else run and nothing be loaded. Pure but for the hash it is given.
 */
export interface HtmlParts {
  readonly title: string;
  readonly script: string;
  readonly style: string;
  /** The log as JSONL. */
  readonly log: string;
}

/** `sha256` answers base64. */
export async function htmlDocument(
  parts: HtmlParts,
  sha256: (text: string) => Promise<string>,
): Promise<string> {
  const script = scriptSafe(parts.script);
  const style = parts.style.replaceAll(/<\/style/gi, "<\\/style");
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${await sha256(script)}'`,
    `style-src 'sha256-${await sha256(style)}'`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return [
    "<!doctype html>",
    '<html lang="en">',
    "<head>",
    '<meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="referrer" content="no-referrer">',
    `<title>${escapedHtml(parts.title)}</title>`,
    `<style>${style}</style>`,
    "</head>",
    "<body>",
    '<div id="root"></div>',
    `<script type="application/json" id="recording">${jsonSafe({ title: parts.title, log: parts.log })}</script>`,
    `<script type="module">${script}</script>`,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

function escapedHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/** No text inside can end the element or start a comment. */
function jsonSafe(value: unknown): string {
  return JSON.stringify(value).replaceAll("<", "\\u003c");
}

function scriptSafe(script: string): string {
  return script.replaceAll(/<\/(script)/gi, "<\\/$1").replaceAll("<!--", "<\\!--");
}
