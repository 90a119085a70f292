/** UTF-8 text as base64: the form of a terminal's bytes on the wire. Runs wherever `run-log` runs. */
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

export function base64Of(text: string): string {
  const bytes = utf8Of(text);
  let out = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const [first = 0, second, third] = [bytes[at], bytes[at + 1], bytes[at + 2]];
    const bits = (first << 16) | ((second ?? 0) << 8) | (third ?? 0);
    out += digits.charAt(bits >> 18) + digits.charAt((bits >> 12) & 63);
    out += second === undefined ? "=" : digits.charAt((bits >> 6) & 63);
    out += third === undefined ? "=" : digits.charAt(bits & 63);
  }
  return out;
}

function utf8Of(text: string): readonly number[] {
  const bytes: number[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    const isLone = code >= 0xd800 && code <= 0xdfff;
    pushUtf8(bytes, isLone ? 0xfffd : code);
  }
  return bytes;
}

function pushUtf8(bytes: number[], code: number): void {
  if (code < 0x80) bytes.push(code);
  else if (code < 0x800) bytes.push(0xc0 | (code >> 6), 0x80 | (code & 63));
  else if (code < 0x10000) {
    bytes.push(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  } else {
    bytes.push(0xf0 | (code >> 18), 0x80 | ((code >> 12) & 63));
    bytes.push(0x80 | ((code >> 6) & 63), 0x80 | (code & 63));
  }
}
