/**
 * The position of the text in the JSON grammar:
 *
 * VALUE ─ scalar, close ──→ AFTER ─ ',' → VALUE | KEY, close → AFTER     (DONE at the top)
 * VALUE ─ '[' → FIRST_ITEM,  '{' → FIRST_KEY | KEY ─ '"…"' → COLON ─ ':' → VALUE
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

/** What a text that stops in this state is in the middle of, in words. */
export function positionWords(state: number): string {
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

/** Where text stops; fields of one kind of token apply in its state only. */
export interface Stop {
  readonly state: number;
  readonly length: number;
  /** The signs that close what is open. */
  readonly closers: string;
  readonly isInObject: boolean;
  /** Where the entry of the innermost object starts. */
  readonly keyStart: number;
  /** How many characters at the end of a string mean nothing yet. */
  readonly undecided: number;
  readonly numberLength: number;
  readonly keywordRest: string;
}

/** Undefined when nothing of the text is certain. */
export function endingOf(stop: Stop): Ending | undefined {
  const { state, length, closers } = stop;
  switch (state) {
    case STRING:
      return { keep: length - stop.undecided, dropsEntry: false, suffix: `"${closers}` };
    case KEYWORD:
      return { keep: length, dropsEntry: false, suffix: stop.keywordRest + closers };
    case DONE:
    case AFTER:
    case FIRST_ITEM:
    case FIRST_KEY:
      return { keep: length, dropsEntry: false, suffix: closers };
    default:
      break;
  }
  if (closers === "") return undefined;
  let keep = length;
  if (stop.isInObject && state !== KEY) keep = stop.keyStart;
  else if (state === NUMBER) keep -= stop.numberLength;
  return { keep, dropsEntry: true, suffix: closers };
}
