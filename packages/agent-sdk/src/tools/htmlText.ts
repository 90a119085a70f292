/**
 * HTML as text that can be read: no scripts, no styles, blocks on lines of their own, links with
 * their addresses. One pass from front to back, so that no page can make it slow. It builds no tree
 * and follows nothing.
 */
import { decodedEntities } from "./htmlEntities.js";

/** Dropped with all their content; `title` is handled separately. */
const dropped: ReadonlySet<string> = new Set([
  "script",
  "style",
  "noscript",
  "template",
  "svg",
  "math",
  "iframe",
  "object",
  "textarea",
  "select",
  "title",
]);

const blocks: ReadonlySet<string> = new Set([
  "address",
  "article",
  "aside",
  "blockquote",
  "body",
  "br",
  "dd",
  "details",
  "dialog",
  "div",
  "dl",
  "dt",
  "fieldset",
  "figcaption",
  "figure",
  "footer",
  "form",
  "h1",
  "h2",
  "h3",
  "h4",
  "h5",
  "h6",
  "header",
  "hr",
  "li",
  "main",
  "nav",
  "ol",
  "p",
  "pre",
  "section",
  "summary",
  "table",
  "tr",
  "ul",
]);

export interface HtmlText {
  readonly title: string | undefined;
  readonly text: string;
}

/** Names of tags are ASCII. Lower case of other letters may be longer, and places would no longer agree. */
function asciiLower(html: string): string {
  return html.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

export function htmlToText(html: string): HtmlText {
  const lower = asciiLower(html);
  const out: string[] = [];
  let title: string | undefined;
  let link: string | undefined;
  let isPreformatted = false;
  for (let at = 0; at < html.length; ) {
    const open = html.indexOf("<", at);
    out.push(shownText(html.slice(at, open === -1 ? html.length : open), isPreformatted));
    if (open === -1) break;
    const tag = tagAt(html, lower, open);
    at = tag.end;
    if (tag.type === "text") out.push("<");
    if (tag.type !== "tag") continue;
    const { name, isClosing } = tag;
    if (!isClosing && dropped.has(name)) {
      const end = closingOf(lower, name, at);
      if (name === "title") title ??= shownText(html.slice(at, end.start), false).trim();
      at = end.end;
    } else if (name === "a") {
      if (link !== undefined) out.push(` (${link})`);
      link = isClosing ? undefined : addressOf(html.slice(open, tag.end));
    } else if (name === "img" && !isClosing) {
      const alt = attributeOf(html.slice(open, tag.end), "alt");
      if (alt !== undefined && alt !== "") out.push(`[${alt}]`);
    } else if (name === "td" || name === "th") {
      out.push("\t");
    } else if (blocks.has(name)) {
      const isRow = name === "li" || name === "tr";
      out.push(isRow && isClosing ? "" : "\n", isClosing ? "" : prefixOf(name));
      if (name === "pre") isPreformatted = !isClosing;
    }
  }
  return { title, text: tidied(out.join("")) };
}

type Tag =
  | {
      readonly type: "tag";
      readonly name: string;
      readonly isClosing: boolean;
      readonly end: number;
    }
  | { readonly type: "nothing"; readonly end: number }
  | { readonly type: "text"; readonly end: number };

/** `open` is the position of a `<`. An unclosed element contains the rest, as in a browser. */
function tagAt(html: string, lower: string, open: number): Tag {
  const next = html.charAt(open + 1);
  if (next === "!" || next === "?") {
    const mark = html.startsWith("<!--", open) ? "-->" : ">";
    const end = html.indexOf(mark, open + 2);
    return { type: "nothing", end: end === -1 ? html.length : end + mark.length };
  }
  const isClosing = next === "/";
  const start = open + (isClosing ? 2 : 1);
  let at = start;
  while (/[a-z0-9-]/.test(lower.charAt(at))) at += 1;
  if (at === start || !/[a-z]/.test(lower.charAt(start))) return { type: "text", end: open + 1 };
  return { type: "tag", name: lower.slice(start, at), isClosing, end: tagEnd(html, at) };
}

/** After the `>` that is not inside a quoted value. */
function tagEnd(html: string, from: number): number {
  let quote = "";
  let previous = "";
  for (let at = from; at < html.length; at += 1) {
    const character = html.charAt(at);
    if (quote !== "") {
      if (character === quote) quote = "";
    } else if (character === ">") {
      return at + 1;
    } else if ((character === '"' || character === "'") && previous === "=") {
      quote = character;
    }
    if (character.trim() !== "") previous = character;
  }
  return html.length;
}

function closingOf(lower: string, name: string, from: number) {
  const start = lower.indexOf(`</${name}`, from);
  if (start === -1) return { start: lower.length, end: lower.length };
  const end = lower.indexOf(">", start);
  return { start, end: end === -1 ? lower.length : end + 1 };
}

function prefixOf(name: string): string {
  if (/^h[1-6]$/.test(name)) return `\n${"#".repeat(Number(name.slice(1)))} `;
  if (name === "li") return "- ";
  return name === "p" || name === "pre" || name === "table" ? "\n" : "";
}

function addressOf(tag: string): string | undefined {
  const address = attributeOf(tag, "href");
  return address === undefined || /^(#|javascript:|data:|$)/i.test(address) ? undefined : address;
}

function attributeOf(tag: string, name: string): string | undefined {
  const short = tag.slice(0, 4000);
  const found = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s>"']+))`, "i").exec(
    short,
  );
  const value = found?.[1] ?? found?.[2] ?? found?.[3];
  return value === undefined ? undefined : decodedEntities(value).trim().slice(0, 500);
}

function shownText(text: string, isPreformatted: boolean): string {
  const plain = decodedEntities(text);
  return isPreformatted ? plain : plain.replaceAll(/[ \t\n\r\f\u00a0]+/g, " ");
}

function tidied(text: string): string {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const kept = lines.filter((line, index) => line !== "" || (index > 0 && lines[index - 1] !== ""));
  return kept
    .map((line) => line.replace(/^ (?=\S)/, ""))
    .join("\n")
    .trim();
}
