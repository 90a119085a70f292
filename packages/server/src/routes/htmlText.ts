/** Text of others inside a page: it is escaped, and what is invisible or changes the direction of writing is its number. */
const marks: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Text that means what it looks like. */
export function htmlText(text: string): string {
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
