/** The backslash escapes of JSON strings. It handles single characters only, not their position. */

/** Backslash, `u` and four digits. */
export const UNICODE_ESCAPE_LENGTH = 6;

/** The character of a backslash and this character; "" if JSON has no such escape. */
export function plainEscape(code: number): string {
  return plainEscapes[code] ?? "";
}

/** By character code: a lookup costs less than the choice each time. */
const plainEscapes = Array.from({ length: 0x80 }, (_, code) => meaningOf(code));

function meaningOf(code: number): string {
  switch (code) {
    case 0x22:
      return '"';
    case 0x5c:
      return "\\";
    case 0x2f:
      return "/";
    case 0x62:
      return "\b";
    case 0x66:
      return "\f";
    case 0x6e:
      return "\n";
    case 0x72:
      return "\r";
    case 0x74:
      return "\t";
    default:
      return "";
  }
}

/** Whether a plain escape means its own second character: signs do, letters do not. */
export function standsForItself(code: number): boolean {
  return code <= 0x5c;
}

/** The value of a hexadecimal digit; -1 when it is none. */
export function hexDigit(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  if (code >= 0x41 && code <= 0x46) return code - 0x37;
  if (code >= 0x61 && code <= 0x66) return code - 0x57;
  return -1;
}

export function isHighSurrogate(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff;
}
