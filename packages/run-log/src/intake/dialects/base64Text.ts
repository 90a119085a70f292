/** The text of base64: the form of a terminal's bytes on the wire. Runs wherever `run-log` runs. */
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

function bytesOf(data: string): readonly number[] {
  const bytes: number[] = [];
  let bits = 0;
  let held = 0;
  for (const character of data) {
    const digit = digits.indexOf(character);
    if (digit === -1) continue;
    bits = ((bits << 6) | digit) & 0xff_ffff;
    held += 6;
    if (held >= 8) {
      held -= 8;
      bytes.push((bits >> held) & 0xff);
    }
  }
  return bytes;
}

export interface DecodedText {
  readonly text: string;
  /** The bytes of a character that is not whole yet: the next piece may bring the others. */
  readonly rest: readonly number[];
}

/** Bytes that are not UTF-8 become U+FFFD, as a terminal shows them. `rest` contains the bytes left over from the previous piece. */
export function textOfBase64(data: string, rest: readonly number[] = []): DecodedText {
  const bytes = rest.length === 0 ? bytesOf(data) : [...rest, ...bytesOf(data)];
  let text = "";
  for (let at = 0; at < bytes.length; ) {
    const first = bytes[at] ?? 0;
    const length = first < 0x80 ? 1 : first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 0;
    const others = bytes.slice(at + 1, at + length);
    const isFollowed = others.every((byte) => byte >> 6 === 2);
    if (isFollowed && length > 1 && others.length < length - 1) {
      return { text, rest: bytes.slice(at) };
    }
    if (length === 0 || !isFollowed) {
      text += "\ufffd";
      at += 1;
      continue;
    }
    const lead = length === 1 ? first : first & (0xff >> (length + 1));
    const code = others.reduce((sum, byte) => (sum << 6) | (byte & 63), lead);
    text += code > 0x10_ffff ? "\ufffd" : String.fromCodePoint(code);
    at += length;
  }
  return { text, rest: [] };
}
