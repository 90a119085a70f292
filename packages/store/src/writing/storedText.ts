/**
 * Text as a row can hold it. PostgreSQL refuses U+0000 in text and jsonb, and half a surrogate pair in
 * jsonb; both become U+FFFD here. The log keeps them as they were: its column is json.
 */
const replacement = "\uFFFD";

export function storedText(text: string): string {
  return text.includes("\u0000") ? text.replaceAll("\u0000", replacement) : text;
}

/** JSON for a jsonb column. `JSON.stringify` writes what is refused as an escape, so it is found there. */
export function storedJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!refusedEscape.test(text)) return text;
  return text.replaceAll(escapes, (found) => (found === "\\\\" ? found : "\\ufffd"));
}

const refusedEscape = /\\u(?:0000|d[89a-f])/;
/** An escaped backslash is matched too, so that what follows it is not taken for an escape. */
const escapes = /\\\\|\\u(?:0000|d[89a-f][0-9a-f]{2})/g;
