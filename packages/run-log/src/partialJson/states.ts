/**
 * Where in the JSON grammar the text stands:
 *
 *   VALUE ─ scalar, close ──→ AFTER ─ ',' → VALUE | KEY, close → AFTER     (DONE at the top)
 *   VALUE ─ '[' → FIRST_ITEM,  '{' → FIRST_KEY | KEY ─ '"…"' → COLON ─ ':' → VALUE
 *
 * STRING, KEY_STRING, NUMBER and KEYWORD are inside a token; FAILED is final.
 */
export const VALUE = 0;
export const FIRST_ITEM = 1;
export const FIRST_KEY = 2;
export const KEY = 3;
export const COLON = 4;
export const AFTER = 5;
export const DONE = 6;
export const STRING = 7;
export const KEY_STRING = 8;
export const NUMBER = 9;
export const KEYWORD = 10;
export const FAILED = 11;

/** What text that stops in this state stops in the middle of, in words. */
export function placeOf(state: number): string {
  switch (state) {
    case STRING:
      return "inside a string";
    case KEY_STRING:
      return "inside a key";
    case NUMBER:
      return "inside a number";
    case KEYWORD:
      return "inside a keyword";
    case KEY:
    case FIRST_KEY:
      return "before a key";
    case COLON:
      return "before a colon";
    case AFTER:
      return "before a comma or the end of its container";
    default:
      return "before a value";
  }
}

/**
 * How text that stops somewhere becomes valid: keep so many characters, without the comma before an
 * entry that is dropped, and add the suffix.
 */
export interface Ending {
  readonly keep: number;
  readonly dropsEntry: boolean;
  readonly suffix: string;
}
