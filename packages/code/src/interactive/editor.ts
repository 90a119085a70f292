/** The text that is being written: a pure machine over keys. It knows nothing of screens or history. */
import { graphemesOf } from "../door/textWidth.js";
import type { Key, KeyName } from "./keys.js";

export interface EditorState {
  readonly text: string;
  /** In UTF-16 units, never inside a character. */
  readonly cursor: number;
}

export const emptyEditor: EditorState = { text: "", cursor: 0 };

export function editorWith(text: string): EditorState {
  return { text, cursor: text.length };
}

/** Undefined for a key that is none of the editor's. */
export function editorAfter(state: EditorState, key: Key): EditorState | undefined {
  if (key.type !== "key") return inserted(state, key.text);
  return afterKey(state, key.name);
}

function inserted({ text, cursor }: EditorState, added: string): EditorState {
  return {
    text: text.slice(0, cursor) + added + text.slice(cursor),
    cursor: cursor + added.length,
  };
}

function afterKey(state: EditorState, name: KeyName): EditorState | undefined {
  const { text, cursor } = state;
  switch (name) {
    case "newline":
      return inserted(state, "\n");
    case "backspace":
      return removed(state, before(text, cursor), cursor);
    case "delete":
      return removed(state, cursor, after(text, cursor));
    case "left":
      return { text, cursor: before(text, cursor) };
    case "right":
      return { text, cursor: after(text, cursor) };
    case "wordLeft":
      return { text, cursor: wordStart(text, cursor) };
    case "wordRight":
      return { text, cursor: wordEnd(text, cursor) };
    case "home":
      return { text, cursor: lineStart(text, cursor) };
    case "end":
      return { text, cursor: lineEnd(text, cursor) };
    case "killToStart":
      return removed(state, lineStart(text, cursor), cursor);
    case "killToEnd": {
      const end = lineEnd(text, cursor);
      return removed(state, cursor, end === cursor ? after(text, cursor) : end);
    }
    case "killWord":
      return removed(state, wordStart(text, cursor), cursor);
    case "up":
      return vertical(state, -1);
    case "down":
      return vertical(state, 1);
    case "enter":
    case "escape":
    case "interrupt":
    case "endOfInput":
    case "expand":
    case "redraw":
    case "suspend":
    case "tab":
      return undefined;
    default:
      return name satisfies never;
  }
}

function removed({ text }: EditorState, from: number, to: number): EditorState {
  return { text: text.slice(0, from) + text.slice(to), cursor: from };
}

/** How far it searches back for the start of a character. No real character is longer. */
const longestCharacter = 256;

function before(text: string, cursor: number): number {
  if (text[cursor - 1] === "\n") return cursor - 1;
  const from = Math.max(lineStart(text, cursor), cursor - longestCharacter);
  const last = graphemesOf(text.slice(from, cursor)).at(-1);
  return cursor - (last?.length ?? 0);
}

function after(text: string, cursor: number): number {
  const [first] = graphemesOf(text.slice(cursor, cursor + 64));
  return cursor + (first?.length ?? 0);
}

function wordStart(text: string, cursor: number): number {
  let at = cursor;
  while (at > 0 && isSpace(text, at - 1)) at -= 1;
  while (at > 0 && !isSpace(text, at - 1)) at -= 1;
  return at;
}

function wordEnd(text: string, cursor: number): number {
  let at = cursor;
  while (at < text.length && isSpace(text, at)) at += 1;
  while (at < text.length && !isSpace(text, at)) at += 1;
  return at;
}

function isSpace(text: string, at: number): boolean {
  return /\s/.test(text.charAt(at));
}

export function lineStart(text: string, cursor: number): number {
  return cursor === 0 ? 0 : text.lastIndexOf("\n", cursor - 1) + 1;
}

export function lineEnd(text: string, cursor: number): number {
  const end = text.indexOf("\n", cursor);
  return end === -1 ? text.length : end;
}

/** Undefined on the first or last line: then it is history's key. */
function vertical({ text, cursor }: EditorState, step: -1 | 1): EditorState | undefined {
  const start = lineStart(text, cursor);
  const column = graphemesOf(text.slice(start, cursor)).length;
  const target = step === -1 ? start - 1 : lineEnd(text, cursor) + 1;
  if (target < 0 || target > text.length) return undefined;
  const from = step === -1 ? lineStart(text, target) : target;
  const line = graphemesOf(text.slice(from, lineEnd(text, from)));
  return { text, cursor: from + line.slice(0, column).join("").length };
}
