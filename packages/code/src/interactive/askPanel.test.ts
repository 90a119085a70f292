/** What of a question stands on the terminal, and which answer a line of text is. */
import type { UserQuestion } from "@callboard/run-log/asking";
import { expect, it } from "vitest";
import { plainText } from "../door/spans.js";
import { callUnderWay } from "../testing/callUnderWay.js";
import { type AskedCall, answerIn, askPanel, wholeQuestion } from "./askPanel.js";

function askedWith(question: UserQuestion): AskedCall {
  return { ...callUnderWay("ask_user", {}, "other"), question };
}

const colours = { question: "Which\ncolour?\u001b[2J", choices: ["red", "green\u202e"] };
const facts = { columns: 60, mostRows: 20, count: 1, isArmed: true, isExpanded: false };

it("shows text and choices with nothing hidden, and how to answer", () => {
  expect(askPanel(askedWith(colours), facts).map(plainText)).toEqual([
    "? The agent asks you",
    "  Which",
    "  colour?\\x1b[2J",
    "  [1] red",
    "  [2] green<U+202E>",
    "  Press a number, Esc declines",
  ]);
  const early = askPanel(askedWith(colours), { ...facts, isArmed: false, count: 2 });
  expect([early[0], early.at(-1)].map((line) => line && plainText(line))).toEqual([
    "? The agent asks you (1 of 2)",
    "  …",
  ]);
});

it("keeps every choice in sight in a very small terminal: the text gives way", () => {
  const small = { ...facts, columns: 19, mostRows: 6 };
  const three = { question: "Which colour?", choices: ["red", "green", "blue"] };
  expect(askPanel(askedWith(three), small).map(plainText)).toEqual([
    "? Which colour?",
    "  [1] red",
    "  [2] green",
    "  [3] blue",
    "  Press 1-3 or Esc",
  ]);
  const long = { ...three, question: "Which of the three colours shall the door have?" };
  expect(askPanel(askedWith(long), small).map(plainText)).toEqual([
    "? Which of the",
    "  … 3 more: Ctrl-O",
    "  [1] red",
    "  [2] green",
    "  [3] blue",
    "  Press 1-3 or Esc",
  ]);
  const short = { question: "Go on?", choices: ["y", "n", "later", "never"], multiple: true };
  expect(askPanel(askedWith(short), small).map(plainText)).toEqual([
    "? Go on?",
    "  [1] y  [2] n",
    "  [3] later",
    "  [4] never",
    "  Write, then Enter",
  ]);
});

const who: UserQuestion = {
  question: "Who?",
  form: {
    type: "object",
    properties: {
      name: { type: "string", title: "Your name" },
      age: { type: "integer" },
      size: { type: "string", enum: ["S", "M"] },
    },
    required: ["name"],
  },
};

it("shows the fields of a form", () => {
  expect(wholeQuestion(askedWith(who), { columns: 80, count: 1 }).map(plainText)).toEqual([
    "? The agent asks you",
    "  Who?",
    "  name: string, required, Your name",
    "  age: integer",
    "  size: S | M",
    "  Write one `name: value` on each line, or a JSON object, and Enter",
  ]);
});

const choices = ["red", "green", "blue"];

it.each<[UserQuestion, string, ReturnType<typeof answerIn>]>([
  [{ question: "?" }, " 1 ", { answer: "1" }],
  [{ question: "?" }, " ", { problem: "answer: the text is empty." }],
  [{ question: "?", choices }, "2", { answer: "green" }],
  [{ question: "?", choices }, "blue", { answer: "blue" }],
  [{ question: "?", choices }, "4", { problem: "answer: give one of red, green, blue." }],
  [{ question: "?", choices, allow_text: true }, "4", { answer: "4" }],
  [{ question: "?", choices, multiple: true }, "3, 1", { answer: ["blue", "red"] }],
  [{ question: "?", choices, multiple: true }, "3 1", { answer: ["blue", "red"] }],
  [
    { question: "?", choices, multiple: true, allow_text: true },
    "red, dark blue",
    { answer: ["red", "dark blue"] },
  ],
  [who, "name: 36\nage: 36\nsize: M", { answer: { name: "36", age: 36, size: "M" } }],
  [who, '{"name":"Ada"}', { answer: { name: "Ada" } }],
  [who, "age: 36", { problem: "name: this field is required." }],
  [who, "name: Ada\nage: old", { problem: "age: give a number." }],
  [who, "name: Ada\nconstructor: x", { problem: "constructor: the form has no such field." }],
])("of %j the line %j is %j", (question, text, read) => {
  expect(answerIn(question, text)).toEqual(read);
});
