/**
 * What the person types: the text, the history, and the time of the last key. It decides nothing about the dialogue; it
 * returns keys that are not the editor's.
 */
import { type EditorState, editorAfter, editorWith, emptyEditor } from "./editor.js";
import { createFoldedPastes } from "./foldedPastes.js";
import { type History, historyAfter, withEntry } from "./history.js";
import type { Key } from "./keys.js";

export interface Typing {
  readonly state: EditorState;
  readonly placeholder: string;
  /** Shown in the line of facts instead of the usual hint. */
  readonly hint: string | undefined;
  /** Milliseconds since the epoch. */
  readonly lastKeyAt: number;
}

export interface TypingDesk extends Typing {
  /** The text with its pastes whole, which stays on the line. */
  readonly whole: string;
  /** False for a key that is none of the editor's. */
  take(key: Key, now: number): boolean;
  /** The text with its pastes whole, which is now sent: it joins the history and the editor is empty. */
  submit(): string;
  /** A long text is folded as if it were pasted. */
  set(text: string): void;
  ask(placeholder: string): void;
  advise(hint: string | undefined): void;
}

const usualPlaceholder = "Ask for something, or type /help";

export function createTyping(entries: History): TypingDesk {
  let state = emptyEditor;
  let history = entries;
  let placeholder = usualPlaceholder;
  let hint: string | undefined;
  let lastKeyAt = 0;
  let pastes = createFoldedPastes();

  function edited(key: Key): EditorState | undefined {
    if (key.type === "paste") {
      return editorAfter(state, { type: "paste", text: pastes.fold(key.text) });
    }
    const isBackspace = key.type === "key" && key.name === "backspace";
    const label = isBackspace ? pastes.labelBefore(state.text, state.cursor) : undefined;
    if (label === undefined) return editorAfter(state, key);
    const { text, cursor } = state;
    const start = cursor - label.length;
    return { text: text.slice(0, start) + text.slice(cursor), cursor: start };
  }

  function moved(step: -1 | 1): void {
    const next = historyAfter(history, step, state.text);
    if (next === undefined) return;
    history = next.history;
    state = editorWith(pastes.fold(next.text));
  }

  return {
    get state() {
      return state;
    },
    get placeholder() {
      return placeholder;
    },
    get hint() {
      return hint;
    },
    get lastKeyAt() {
      return lastKeyAt;
    },
    get whole() {
      return pastes.unfold(state.text);
    },
    take(key, now) {
      const next = edited(key);
      const isVertical = key.type === "key" && (key.name === "up" || key.name === "down");
      if (next === undefined && !isVertical) return false;
      lastKeyAt = now;
      if (next !== undefined) state = next;
      else if (isVertical) moved(key.name === "up" ? -1 : 1);
      return true;
    },
    submit() {
      const text = pastes.unfold(state.text);
      history = withEntry(history, text);
      state = emptyEditor;
      pastes = createFoldedPastes();
      return text;
    },
    set(text) {
      state = editorWith(pastes.fold(text));
    },
    ask(text) {
      placeholder = text === "" ? usualPlaceholder : text;
    },
    advise(text) {
      hint = text;
    },
  };
}
