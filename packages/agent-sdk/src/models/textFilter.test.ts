import fc from "fast-check";
import { expect, test } from "vitest";
import { createTextFilter } from "./textFilter.js";

function filtered(pieces: readonly string[]) {
  const said = { text: "", reasoning: "", ends: 0, isLeak: false };
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
  filter.flush();
  said.isLeak = filter.hasLeakedCall();
  return said;
}

test.each([
  ["plain text < 5 && a > b", "plain text < 5 && a > b", "", 0, false],
  ["<think>hm</think>yes", "yes", "hm", 1, false],
  ["\n <thinking>hm</thinking>yes", "yes", "hm", 1, false],
  ["<think></think>yes", "yes", "", 1, false],
  ["<think>never closed", "", "never closed", 1, false],
  [
    "<think>a <b> </thin </think>! <think>b</think>",
    "! <think>b</think>",
    "a <b> </thin ",
    1,
    false,
  ],
  [
    "DeepSeek wraps thoughts in <think> tags.",
    "DeepSeek wraps thoughts in <think> tags.",
    "",
    0,
    false,
  ],
  ["```\n<tool_call>{}</tool_call>\n```", "```\n<tool_call>{}</tool_call>\n```", "", 0, false],
  ["no opening</think>answer", "no opening</think>answer", "", 0, false],
  ["<tool_call>{}</tool_call>", "<tool_call>{}</tool_call>", "", 0, true],
  ["<think>x</think>\n<function_calls>", "\n<function_calls>", "x", 1, true],
  ["<thinker>", "<thinker>", "", 0, false],
  ["<thin", "<thin", "", 0, false],
])("%j", (text, shown, reasoning, ends, isLeak) => {
  const expected = { text: shown, reasoning, ends, isLeak };
  expect(filtered([text])).toStrictEqual(expected);
  expect(filtered([...text])).toStrictEqual(expected);
});

const words = fc.constantFrom("<think>", "</think>", "<tool_call>", "<", "a", " ", "</", "th");

test("any split gives the same, and no character is lost but the tags", () => {
  fc.assert(
    fc.property(fc.array(words), fc.array(fc.nat(200)), (said, cuts) => {
      const text = said.join("");
      const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b);
      const pieces = [0, ...places].map((from, at) => text.slice(from, places[at] ?? text.length));
      const whole = filtered([text]);
      expect(filtered(pieces)).toStrictEqual(whole);
      const bare = text.trimStart().replace("<think>", "").replace("</think>", "");
      if (whole.ends === 0) expect(whole.text).toBe(text);
      else if (text.includes("</think>")) expect(whole.reasoning + whole.text).toBe(bare);
    }),
  );
});
