/**
 * From terminal input to keys. Sequences may come in pieces; the caller, which knows that nothing follows (`settle`),
 * distinguishes a lone escape from the start of a sequence. Pasted text is always text: it never presses a key.
 */
export const keyNames = [
  "enter",
  "newline",
  "backspace",
  "delete",
  "left",
  "right",
  "up",
  "down",
  "home",
  "end",
  "wordLeft",
  "wordRight",
  "killToEnd",
  "killToStart",
  "killWord",
  "escape",
  "interrupt",
  "endOfInput",
  "expand",
  "redraw",
  "suspend",
  "tab",
] as const;
export type KeyName = (typeof keyNames)[number];

export type Key =
  | { readonly type: "text" | "paste"; readonly text: string }
  | { readonly type: "key"; readonly name: KeyName };

const controls: Readonly<Record<string, KeyName>> = {
  "\r": "enter",
  "\n": "newline",
  "\b": "backspace",
  "\u007f": "backspace",
  "\u0001": "home",
  "\u0002": "left",
  "\u0003": "interrupt",
  "\u0004": "endOfInput",
  "\u0005": "end",
  "\u0006": "right",
  "\t": "tab",
  "\u000b": "killToEnd",
  "\u000c": "redraw",
  "\u000e": "down",
  "\u000f": "expand",
  "\u0010": "up",
  "\u0015": "killToStart",
  "\u0017": "killWord",
  "\u001a": "suspend",
};

/** The characters after `ESC [` or `ESC O`. */
const sequences: Readonly<Record<string, KeyName>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  H: "home",
  F: "end",
  "1~": "home",
  "3~": "delete",
  "4~": "end",
  "7~": "home",
  "8~": "end",
  "1;3C": "wordRight",
  "1;3D": "wordLeft",
  "1;5C": "wordRight",
  "1;5D": "wordLeft",
  "13;2u": "newline",
  "27;2;13~": "newline",
};

/** Escape, then a character: Alt with it. */
const alternates: Readonly<Record<string, KeyName>> = {
  b: "wordLeft",
  f: "wordRight",
  "\r": "newline",
  "\n": "newline",
  "\u007f": "killWord",
};

const escapeCharacter = "\u001b";
const pasteStart = `${escapeCharacter}[200~`;
const pasteEnd = `${escapeCharacter}[201~`;

export interface KeyReader {
  push(text: string): readonly Key[];
  /** Nothing follows: the held character is the escape key. */
  settle(): readonly Key[];
  /** Whether the start of a sequence is held back. */
  readonly isHolding: boolean;
}

export function createKeyReader(): KeyReader {
  let held = "";
  let pasted: string | undefined;

  function take(): readonly Key[] {
    const keys: Key[] = [];
    for (;;) {
      const read = pasted === undefined ? nextKey(held) : nextPaste(held);
      if (read === undefined) return keys;
      held = held.slice(read.length);
      if (read.key !== undefined) keys.push(read.key);
    }
  }

  function nextPaste(text: string): Read | undefined {
    const end = text.indexOf(pasteEnd);
    if (end !== -1) {
      const whole = (pasted ?? "") + text.slice(0, end);
      pasted = undefined;
      const key: Key = { type: "paste", text: whole.replaceAll(/\r\n?/g, "\n") };
      return { length: end + pasteEnd.length, key };
    }
    // The end may come in pieces: a possible start of it is held back.
    const kept = Math.max(0, text.length - (pasteEnd.length - 1));
    if (kept === 0) return undefined;
    pasted = (pasted ?? "") + text.slice(0, kept);
    return { length: kept, key: undefined };
  }

  function nextKey(text: string): Read | undefined {
    if (text.startsWith(pasteStart)) {
      pasted = "";
      return { length: pasteStart.length, key: undefined };
    }
    return readKey(text);
  }

  return {
    push(text) {
      held += text;
      return take();
    },
    settle() {
      if (pasted !== undefined || !held.startsWith(escapeCharacter)) return [];
      held = held.slice(1);
      return [{ type: "key", name: "escape" }, ...take()];
    },
    get isHolding() {
      return pasted === undefined && held !== "";
    },
  };
}

interface Read {
  readonly length: number;
  readonly key: Key | undefined;
}

/** Undefined while the start of a sequence waits for its rest. */
function readKey(text: string): Read | undefined {
  const [first] = text;
  if (first === undefined) return undefined;
  if (first === escapeCharacter) return readEscape(text);
  const name = controls[first];
  if (name !== undefined) return { length: 1, key: { type: "key", name } };
  const [run = ""] = /^\P{Cc}*/u.exec(text) ?? [];
  if (run === "") return { length: 1, key: undefined };
  return { length: run.length, key: { type: "text", text: run } };
}

function readEscape(text: string): Read | undefined {
  const second = text[1];
  if (second === undefined) return undefined;
  if (second === "[" || second === "O") {
    const code = /^[\d;<=>?]*[ -/]*[@-~]/.exec(text.slice(2))?.[0];
    if (code === undefined) return text.length > 32 ? { length: 1, key: undefined } : undefined;
    return { length: 2 + code.length, key: named(sequences[code]) };
  }
  if (second === escapeCharacter) return { length: 1, key: named("escape") };
  return { length: 2, key: named(alternates[second]) };
}

function named(name: KeyName | undefined): Key | undefined {
  return name === undefined ? undefined : { type: "key", name };
}
