/**
 * Finds secrets in text that comes in pieces. Text is read as runs of unbroken characters; a run is
 * judged when it ends, so at most one run is held back (16,384 characters of it at most). A value
 * in quotes under a secret name is held until its quote closes; a private key is dropped as it comes.
 *
 * text ──run ends──▶ text      text ──"password": "──▶ value ──"──▶ text
 * text ──BEGIN … PRIVATE KEY──▶ key ──END, or a character that no key has──▶ text
 */
import {
  beginsLine,
  isSecretLiteral,
  isSecretValue,
  isSecretWord,
  isSettingName,
  type KindOfKey,
  keyBefore,
} from "./keyNames.js";
import type { TextStage } from "./textStage.js";
import { cookiesIn, secretsIn, withRangesRedacted } from "./tokenSecrets.js";

const longestMatch = 8_192;
const longestValue = 4_096;
const longestKey = 65_536;
const rememberedBefore = 96;

const delimiters = new Set(" \t\r\n\v\f\"'`<>(){}[],;|\\");
/** Delimiters that a setting's value may hold: `PASSWORD=a(b)c`. */
const softDelimiters = new Set("(){}[]<>,;|");
const privateKeyHeader = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,4}PRIVATE KEY(?: BLOCK)?-----/;

function isDelimiter(character: string): boolean {
  return character <= " " || character > "~" || delimiters.has(character);
}

interface ValueMode {
  readonly type: "value";
  readonly quote: string;
  /** How many backslashes are before its quotes: JSON inside JSON has one. */
  readonly slashes: number;
  readonly kind: string;
  readonly isData: boolean;
  /** Under a password's name at the start of a line. */
  readonly isWord: boolean;
  /** The held part; undefined once it is too long to be anything but a secret. */
  held: string | undefined;
  backslashes: number;
}

interface KeyMode {
  readonly type: "key";
  swallowed: number;
  tail: string;
}

type Mode = { readonly type: "text" } | ValueMode | KeyMode;

export function createTextScanner(kindOfKey: KindOfKey): TextStage {
  let mode: Mode = { type: "text" };
  let token = "";
  let before = "";
  /** Characters of an escape such as `\n` that are not part of the next run. */
  let escapeLeft = 0;
  let keepsSoft: boolean | undefined;
  let isCookieLine = false;
  let out = "";

  const remember = (text: string): void => {
    before = (before + text).slice(-rememberedBefore);
  };

  function grow(text: string): void {
    token += text;
    while (token.length >= 2 * longestMatch) {
      const head = token.slice(0, 2 * longestMatch);
      const ranges = secretsIn(head, before, kindOfKey);
      const crossing = ranges.find(({ start, end }) => start < longestMatch && end > longestMatch);
      const cut = crossing?.end ?? longestMatch;
      const settled = ranges.filter(({ end }) => end <= cut);
      out += withRangesRedacted(head.slice(0, cut), settled);
      remember(head.slice(0, cut));
      token = token.slice(cut);
    }
  }

  function endToken(): void {
    if (token !== "") {
      const ranges = isCookieLine ? cookiesIn(token) : secretsIn(token, before, kindOfKey);
      out += withRangesRedacted(token, ranges);
      remember(token);
      if (/^(?:set-)?cookie:$/i.test(token)) isCookieLine = true;
    }
    token = "";
    keepsSoft = undefined;
  }

  /** Whether the run is a setting whose value continues over brackets and commas. */
  function staysInToken(character: string): boolean {
    if (!softDelimiters.has(character) || token === "") return false;
    keepsSoft ??= isSecretSetting(token);
    return keepsSoft;
  }

  function isSecretSetting(run: string): boolean {
    const name = /^([A-Z][A-Z0-9_]{2,63})=./.exec(run)?.[1];
    return name !== undefined && kindOfKey(name) !== undefined;
  }

  function readText(text: string, findsValues: boolean): number {
    let start = 0;
    for (let index = 0; index < text.length; index += 1) {
      const character = text.charAt(index);
      if (escapeLeft === 0 && !isDelimiter(character)) continue;
      if (start < index) grow(text.slice(start, index));
      start = index + 1;
      if (escapeLeft === 0 && staysInToken(character)) {
        grow(character);
        continue;
      }
      if (delimit(character, findsValues)) return index + 1;
    }
    if (start < text.length) grow(text.slice(start));
    return text.length;
  }

  /** Whether another mode starts after this character. */
  function delimit(character: string, findsValues: boolean): boolean {
    if (escapeLeft > 0) {
      escapeLeft = escapeLengthOf(character);
      if (escapeLeft === -1) {
        escapeLeft = 0;
        if (!isDelimiter(character)) {
          grow(character);
          return false;
        }
      }
    }
    endToken();
    if (character === "\n" || character === '"') isCookieLine = false;
    if (findsValues && `"'\``.includes(character)) mode = valueModeOf(character);
    out += character;
    remember(character);
    if (character === "\\" && escapeLeft === 0) escapeLeft = 1;
    if (before.at(-2) === "-" && privateKeyHeader.test(before)) {
      mode = { type: "key", swallowed: 0, tail: "" };
      escapeLeft = 0;
    }
    return mode.type !== "text";
  }

  /** How much of an escape is left after its next character; -1 if that is an ordinary character. */
  function escapeLengthOf(character: string): number {
    if (escapeLeft > 1) return escapeLeft - 1 === 1 ? 0 : escapeLeft - 1;
    if (character === "u") return 5;
    return "nrtbfv0".includes(character) ? 0 : -1;
  }

  function valueModeOf(quote: string): Mode {
    const key = keyBefore(before);
    const kind = key === undefined ? undefined : kindOfKey(key.name);
    if (key === undefined || kind === undefined) return { type: "text" };
    const slashes = before.length - before.replace(/\\{1,32}$/, "").length;
    const isData = key.isQuoted || isSettingName(key.name);
    const isWord = kind === "password" && beginsLine(before);
    return { type: "value", quote, slashes, kind, isData, isWord, held: "", backslashes: 0 };
  }

  function readValue(text: string, value: ValueMode): number {
    for (let index = 0; index < text.length; index += 1) {
      const character = text.charAt(index);
      if (character === "\n" || (character === value.quote && closesWith(value))) {
        endValue(value);
        return index;
      }
      value.backslashes = character === "\\" ? value.backslashes + 1 : 0;
      if (value.held !== undefined) value.held += character;
      if (value.held !== undefined && value.held.length >= longestValue) {
        out += `[redacted:${value.kind}]`;
        value.held = undefined;
      }
    }
    return text.length;
  }

  /** An escaped quote inside has more backslashes before it than the quote that closes. */
  const closesWith = ({ backslashes, slashes }: ValueMode): boolean =>
    (backslashes - slashes) % (2 * (slashes + 1)) === 0 && backslashes >= slashes;

  function endValue(value: ValueMode): void {
    mode = { type: "text" };
    const { held } = value;
    if (held === undefined) return;
    const slashes = Math.min(value.slashes, value.backslashes);
    const inner = held.slice(0, held.length - slashes);
    const isSecret = value.isData
      ? isSecretValue(inner)
      : isSecretLiteral(inner) || (value.isWord && isSecretWord(inner));
    if (isSecret && !privateKeyHeader.test(inner)) {
      out += `[redacted:${value.kind}]${"\\".repeat(slashes)}`;
      remember(`${value.kind}${"\\".repeat(slashes)}`);
    } else {
      read(held.slice(readText(held, false)));
    }
  }

  /** A key's body is letters, digits and its line breaks, which may be written as `\n`. */
  function readKey(text: string, key: KeyMode): number {
    for (let index = 0; index < text.length; index += 1) {
      const character = text.charAt(index);
      const ends = key.tail === "-----EN" && character === "D";
      if (!/[A-Za-z0-9+/=\s\\:,.-]/.test(character) || key.swallowed >= longestKey || ends) {
        endKey(key, ends ? "-----EN" : "");
        return index;
      }
      key.swallowed += 1;
      key.tail = (key.tail + character).slice(-7);
    }
    return text.length;
  }

  function endKey(key: KeyMode, token: string): void {
    mode = { type: "text" };
    if (key.swallowed > token.length) out += "[redacted:private_key]";
    before = "";
    grow(token);
  }

  function read(text: string): void {
    let rest = text;
    while (rest !== "") {
      const current = mode;
      switch (current.type) {
        case "text":
          rest = rest.slice(readText(rest, true));
          break;
        case "value":
          rest = rest.slice(readValue(rest, current));
          break;
        case "key":
          rest = rest.slice(readKey(rest, current));
          break;
        default:
          current satisfies never;
      }
    }
  }

  function closeMode(open: Mode): void {
    if (open.type === "value") endValue(open);
    if (open.type === "key") endKey(open, "");
  }

  function taken(): string {
    const text = out;
    out = "";
    return text;
  }

  return {
    push(text) {
      read(text);
      return taken();
    },
    flush() {
      closeMode(mode);
      closeMode(mode);
      endToken();
      before = "";
      isCookieLine = false;
      escapeLeft = 0;
      return taken();
    },
  };
}
