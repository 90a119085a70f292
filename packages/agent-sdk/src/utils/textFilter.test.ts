import fc from "fast-check";
import { expect, test } from "vitest";
import { createTextFilter } from "./textFilter.js";

function filtered(pieces: readonly string[]): {
  text: string;
  reasoning: string;
  ends: number;
  held: number;
} {
  const said = { text: "", reasoning: "", ends: 0, held: 0 };
  const filter = createTextFilter({
    text: (text) => {
      said.text += text;
    },
    reasoning: (text) => {
      said.reasoning += text;
    },
    reasoningEnd: () => {
      said.ends += 1;
    },
  });
  for (const piece of pieces) filter.push(piece);
  said.held = said.text.length + said.reasoning.length;
  filter.flush();
  return said;
}

test.each([
  ["plain text < 5 && a > b", "plain text < 5 && a > b", "", 0],
  ["<think>hm</think>yes", "yes", "hm", 1],
  ["a<think>b</think>c<thinking>d</thinking>e", "ace", "bd", 2],
  ['x<tool_call>{"name":"a"}</tool_call>y', "xy", "", 0],
  ["<function_calls>x</function_calls>", "", "", 0],
  ["<tool_calls>[<tool_call>1</tool_call>]</tool_calls>z", "z", "", 0],
  ["no opening</think>answer", "no openinganswer", "", 0],
  ["<think>never closed", "", "never closed", 1],
  ["<tool_call>never closed", "", "", 0],
  ["the `<think>` tag", "the `<think>` tag", "", 0],
  ["<think>a <b> </thin </think>!", "!", "a <b> </thin ", 1],
  ["ends in <thin", "ends in <thin", "", 0],
  ["<<think>x</think>", "<", "x", 1],
  ["<thinker>", "<thinker>", "", 0],
])("%j", (text, shown, reasoning, ends) => {
  const whole = filtered([text]);
  expect({ ...whole, held: 0 }).toStrictEqual({ text: shown, reasoning, ends, held: 0 });
  expect({ ...filtered([...text]), held: 0 }).toStrictEqual({ ...whole, held: 0 });
});

const words = fc.constantFrom(
  "<think>",
  "</think>",
  "<tool_call>",
  "</tool_call>",
  "<",
  "a",
  "`",
  "</",
  "th",
);

test("any split gives the same", () => {
  fc.assert(
    fc.property(fc.array(words), fc.array(fc.nat(200)), (said, cuts) => {
      const text = said.join("");
      const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
      const pieces = [0, ...places].map((from, at) => text.slice(from, places[at] ?? text.length));
      expect({ ...filtered(pieces), held: 0 }).toStrictEqual({ ...filtered([text]), held: 0 });
    }),
  );
});

test("only a possible tag is held back", () => {
  expect(filtered(["text <tool_cal"]).held).toBe("text ".length);
  expect(filtered(["text <table"]).held).toBe("text <table".length);
});
