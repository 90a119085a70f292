/**
 * Long strings made short for files that people read, anywhere inside a JSON value. The length and
 * a fingerprint stay, so a single changed character still shows. Short values are left as they are.
 */
const longest = 2_000;
const headLength = 80;

export function abbreviated(value: unknown): unknown {
  if (typeof value === "string") return abbreviatedText(value);
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(abbreviated);
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, abbreviated(field)]));
}

export function abbreviatedText(text: string): string {
  if (text.length <= longest) return text;
  const head = text.slice(0, isPairAt(text, headLength - 1) ? headLength - 1 : headLength);
  return `${head}…[${text.length} chars, fnv1a ${fnv1a(text)}]`;
}

function isPairAt(text: string, index: number): boolean {
  return (text.codePointAt(index) ?? 0) > 0xffff;
}

/** The 32-bit FNV-1a hash of the text in UTF-8, as eight hex digits. */
export function fnv1a(text: string): string {
  let hash = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}
