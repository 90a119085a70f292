import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createKeyReader, type Key } from "./keys.js";

const key = (name: string) => ({ type: "key", name });
const text = (words: string) => ({ type: "text", text: words });

function read(typed: string): readonly Key[] {
  const reader = createKeyReader();
  return [...reader.push(typed), ...reader.settle()];
}

describe("what a terminal sends", () => {
  it.each([
    ["words", "héllo 漢", [text("héllo 漢")]],
    ["Enter", "a\r", [text("a"), key("enter")]],
    ["Ctrl-J", "a\nb", [text("a"), key("newline"), text("b")]],
    ["Alt-Enter", "\u001b\r", [key("newline")]],
    ["Shift-Enter", "\u001b[13;2u", [key("newline")]],
    [
      "arrows of both kinds",
      "\u001b[A\u001bOB\u001b[1;5D",
      [key("up"), key("down"), key("wordLeft")],
    ],
    ["home, end, delete", "\u001b[H\u001b[4~\u001b[3~", [key("home"), key("end"), key("delete")]],
    [
      "Ctrl-C, Ctrl-D, Ctrl-O",
      "\u0003\u0004\u000f",
      [key("interrupt"), key("endOfInput"), key("expand")],
    ],
    ["a lone escape", "\u001b", [key("escape")]],
    ["an unknown sequence", "\u001b[99;7Zx", [text("x")]],
    ["other controls", "\u0000\u001cx", [text("x")]],
    [
      "pasted lines",
      "\u001b[200~a\r\nb\u0003\u001b[201~c",
      [{ type: "paste", text: "a\nb\u0003" }, text("c")],
    ],
  ])("reads %s", (_, typed, keys) => {
    expect(read(typed)).toEqual(keys);
  });

  it("is the same in pieces, but for where text and pastes are cut", () => {
    const parts = fc.constantFrom(
      "a",
      "漢",
      "\r",
      "\u001b[A",
      "\u001b[1;5C",
      "\u001b[200~x\ny\u001b[201~",
      "\u0003",
      "\u001bOB",
    );
    const joined = (keys: readonly Key[]): string =>
      keys.map((one) => (one.type === "key" ? `<${one.name}>` : one.text)).join("");
    fc.assert(
      fc.property(
        fc.array(parts, { maxLength: 8 }),
        fc.array(fc.nat(40), { maxLength: 5 }),
        (typed, cuts) => {
          const whole = typed.join("");
          const reader = createKeyReader();
          const places = [...new Set(cuts.map((cut) => Math.min(cut, whole.length)))].sort(
            (a, b) => a - b,
          );
          const keys = [0, ...places].flatMap((from, index) =>
            reader.push(whole.slice(from, places[index] ?? whole.length)),
          );
          expect(joined([...keys, ...reader.settle()])).toBe(joined(read(whole)));
        },
      ),
    );
  });
});
