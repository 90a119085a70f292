/**
 * Makes foreign text harmless for a terminal: texts of a model, a tool, a file name or a stored session. `cleanText`
 * reads text as a terminal would and removes everything that is not text; `exactText` removes nothing and shows every
 * hidden character as a visible one, for texts that a person must judge. The result contains no control character but
 * tab and newline, and nothing that reorders or hides.
 */

/** Everything that is not passed on as it is. Half a surrogate pair is one of them. */
const suspect =
  /[^\P{Cc}\t\n]|\p{Cs}|[\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;
const suspects = new RegExp(suspect, "gu");
const reordering = /[\u202a-\u202e\u2066-\u2069]/u;
const lineEnd = /[\u0085\u2028\u2029]/u;

const escapeCharacter = "\u001b";
const replacement = "\ufffd";

/** Where in an escape sequence the text is. `string` is what OSC, DCS, APC, PM and SOS open. */
type Position = "ground" | "escape" | "intermediate" | "csi" | "string" | "stringEscape";

export interface TextCleaner {
  /** The pieces' cleaned texts together are the cleaned text of the whole. */
  push(piece: string): string;
  /** The held text, if nothing follows. The cleaner starts again. */
  end(): string;
}

export function createTextCleaner(): TextCleaner {
  let position: Position = "ground";
  /** A carriage return or half a character whose next unit has not come. */
  let held = "";

  function cleaned(text: string): string {
    let out = "";
    for (const character of text) out += take(character);
    return out;
  }

  function take(character: string): string {
    const before = heldText(character);
    const { next, text } = positionStep(position, character);
    position = next;
    if (text !== "\r") return before + text;
    held = "\r";
    return before;
  }

  /** A carriage return would let a text be overwritten: alone it ends the line. */
  function heldText(next: string): string {
    if (held !== "\r") return "";
    held = "";
    return next === "\n" ? "" : "\n";
  }

  return {
    push(piece) {
      if (piece === "") return "";
      if (position === "ground" && held === "" && !suspect.test(piece)) return piece;
      const half = held === "\r" ? "" : held;
      if (half !== "") held = "";
      const whole = half + piece;
      if (!endsInHighSurrogate(whole)) return cleaned(whole);
      const text = cleaned(whole.slice(0, -1));
      const late = heldText("");
      held = whole.slice(-1);
      return text + late;
    },
    end() {
      const rest = held === "\r" ? "\n" : held === "" ? "" : positionStep(position, held).text;
      position = "ground";
      held = "";
      return rest;
    },
  };
}

/** The same for a text that is whole. */
export function cleanText(text: string): string {
  if (!suspect.test(text)) return text;
  const cleaner = createTextCleaner();
  return cleaner.push(text) + cleaner.end();
}

/** One line without hidden characters: `\x1b`, `\n` and `<U+202E>` represent what they name. */
export function exactText(text: string): string {
  return text.replaceAll("\n", "\\n").replaceAll("\t", "\\t").replace(suspects, characterNameOf);
}

/** For text that is painted in any case: spaces for tabs and line ends, names for the rest. */
export function paintableText(text: string): string {
  if (!/[\t\n]/.test(text) && !suspect.test(text)) return text;
  return text.replaceAll(/[\t\n]/g, " ").replace(suspects, characterNameOf);
}

function characterNameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0xd800 && code <= 0xdfff) return replacement;
  if (character === "\r") return "\\r";
  const hex = code.toString(16);
  return code < 0x100 ? `\\x${hex.padStart(2, "0")}` : `<U+${hex.toUpperCase().padStart(4, "0")}>`;
}

interface Step {
  readonly next: Position;
  /** The visible form of the character. The caller decides about a carriage return. */
  readonly text: string;
}

function positionStep(position: Position, character: string): Step {
  switch (position) {
    case "ground":
      return ground(character);
    case "escape":
      return afterEscape(character);
    case "intermediate":
      return between(character, 0x20, 0x2f, "intermediate") ?? ended(character, 0x30);
    case "csi":
      return between(character, 0x20, 0x3f, "csi") ?? ended(character, 0x40);
    case "string":
    case "stringEscape":
      return inString(position, character);
    default:
      return position satisfies never;
  }
}

const openers: Readonly<Record<string, Position>> = {
  "\u001b": "escape",
  "\u0090": "string",
  "\u0098": "string",
  "\u009b": "csi",
  "\u009d": "string",
  "\u009e": "string",
  "\u009f": "string",
};

function ground(character: string): Step {
  const opened = openers[character];
  if (opened !== undefined) return { next: opened, text: "" };
  return { next: "ground", text: plain(character) };
}

function plain(character: string): string {
  if (character === "\r" || !suspect.test(character)) return character;
  if (lineEnd.test(character)) return "\n";
  if (reordering.test(character)) return characterNameOf(character);
  const code = character.charCodeAt(0);
  return character.length === 1 && code >= 0xd800 && code <= 0xdfff ? replacement : "";
}

function afterEscape(character: string): Step {
  if (character === "[") return { next: "csi", text: "" };
  if ("]PX^_".includes(character)) return { next: "string", text: "" };
  return between(character, 0x20, 0x2f, "intermediate") ?? ended(character, 0x30);
}

function between(
  character: string,
  from: number,
  to: number,
  position: Position,
): Step | undefined {
  const code = character.charCodeAt(0);
  return code >= from && code <= to ? { next: position, text: "" } : undefined;
}

/** The last character of a sequence goes with it; one that cannot be its last is text again. */
function ended(character: string, from: number): Step {
  return between(character, from, 0x7e, "ground") ?? ground(character);
}

/** A string that is never closed hides no more than the rest of its line. */
function inString(position: "string" | "stringEscape", character: string): Step {
  if (position === "stringEscape") {
    return character === "\\" ? { next: "ground", text: "" } : afterEscape(character);
  }
  if (character === escapeCharacter) return { next: "stringEscape", text: "" };
  if ("\u0007\u0018\u001a\u009c".includes(character)) return { next: "ground", text: "" };
  const isLineEnd = character === "\n" || character === "\r" || lineEnd.test(character);
  return isLineEnd ? ground(character) : { next: "string", text: "" };
}

function endsInHighSurrogate(text: string): boolean {
  const last = text.charCodeAt(text.length - 1);
  return last >= 0xd800 && last <= 0xdbff;
}
